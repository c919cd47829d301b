/** A line that is longer is cut: CloudWatch takes no longer one either. */
const MAX_LINE_CHARACTERS = 1024 * 1024;

/** Makes lines of text that comes in chunks of whatever length, as it does from a pipe. */
export class LineSplitter {
  readonly #give: (lines: string[]) => void;
  #begun = "";

  /** @param give takes the lines that a chunk has ended, all at once */
  constructor(give: (lines: string[]) => void) {
    this.#give = give;
  }

  push(text: string): void {
    const lines = (this.#begun + text).split("\n");
    this.#begun = lines.pop() ?? "";
    while (this.#begun.length >= MAX_LINE_CHARACTERS) {
      lines.push(this.#begun.slice(0, MAX_LINE_CHARACTERS));
      this.#begun = this.#begun.slice(MAX_LINE_CHARACTERS);
    }
    if (lines.length > 0) this.#give(lines);
  }

  /** Gives what was begun. */
  end(): void {
    if (this.#begun !== "") this.#give([this.#begun]);
    this.#begun = "";
  }
}
