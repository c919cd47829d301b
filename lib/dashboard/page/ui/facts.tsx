import type { ComponentChildren } from "preact";

/** Names and values beside each other. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A part of a page with its heading. */
export function Section(props: { title: string; aside?: ComponentChildren; children: ComponentChildren }) {
  const id = `section-${props.title.toLowerCase().replaceAll(" ", "-")}`;
  return (
    <section class="section" aria-labelledby={id}>
      <header class="section-head">
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </header>
      {props.children}
    </section>
  );
}
