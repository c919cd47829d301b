import "./style/tokens.css";
import { render } from "preact";

const root = document.getElementById("page");
if (root) render(<p>The dashboard's page is being made.</p>, root);
