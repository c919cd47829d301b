import { Component, type FunctionComponent } from "preact";

/** A component that is rendered again only when one of its properties is another one. */
export function memo<P extends object>(render: FunctionComponent<P>) {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return Object.entries(next).some(([name, value]) => value !== this.props[name as keyof P]);
    }

    override render() {
      return render(this.props);
    }
  };
}
