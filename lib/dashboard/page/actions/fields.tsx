/** Why: it is kept with what was done. */
export function ReasonField({ required = false }: { required?: boolean }) {
  return (
    <label class="field">
      <span>Reason{!required && <span class="quiet"> (may be empty)</span>}</span>
      <input
        class="input"
        name="reason"
        maxLength={512}
        required={required}
        pattern={required ? ".*\\S.*" : undefined}
        title={required ? "Not only spaces" : undefined}
        autocomplete="off"
        autofocus
      />
    </label>
  );
}

/** The reason that a form has, if any. */
export function reasonOf(form: FormData): string | undefined {
  return textOf(form, "reason");
}

export function textOf(form: FormData, name: string): string | undefined {
  const text = String(form.get(name) ?? "").trim();
  return text === "" ? undefined : text;
}
