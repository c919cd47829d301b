/**
 * What each shell has to be told: it asks `escapement complete -- WORDS`, of which the last is the one to complete, and gets
 * one candidate a line with its description behind a tab. The words are handed over without their quotes, and never
 * evaluated.
 */
export const SCRIPTS = {
  // Without a candidate bash completes files: --state-dir, --input @file. It cannot take quotes off without evaluating.
  bash: `_escapement() {
  local IFS=$'\\n'
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($(escapement complete -- "\${words[@]//[\\"\\'\\\\]/}" 2>/dev/null | cut -f 1))
}
complete -o default -F _escapement escapement
`,
  zsh: `#compdef escapement
_escapement() {
  local -a found
  found=("\${(@f)$(escapement complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found/$'\\t'/:}")
  if [[ -n "$found[1]" ]]; then _describe escapement found; else _files; fi
}
compdef _escapement escapement
`,
  fish: `function __escapement_complete
  set -l words (commandline --tokenize --cut-at-cursor) (commandline --current-token --cut-at-cursor)
  escapement complete -- $words[2..-1] 2>/dev/null
end
complete --command escapement --no-files --arguments '(__escapement_complete)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;
