/** A body of which some members are JSON already: `{"reason":"x","input":{"a":1}}` */
export function withTexts(body: object, texts: Readonly<Record<string, string | undefined>>): string {
  const members = Object.entries({ ...body, ...texts }).flatMap(([name, value]) => {
    const json = name in texts ? texts[name] : JSON.stringify(value);
    return json === undefined ? [] : [`${JSON.stringify(name)}:${json}`];
  });
  return `{${members.join(",")}}`;
}
