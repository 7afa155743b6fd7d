/**
 * The scripts that teach shells to complete our commands. Each asks the hidden command
 * `__complete` at every Tab, so that it never grows out of date, and evaluates nothing of the
 * answer: titles and names are other people's text.
 */
export const shells = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof shells)[number];

// In these texts `\$` stands for `$`, which would begin a placeholder before a brace.

// Bash 3.2, which macOS has, knows neither compopt nor nosort.
const bash = String.raw`# Completion of todo for bash. In ~/.bashrc: source <(todo completion bash)
_todo() {
  local line kind=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
  done < <(command todo __complete bash -- "\${COMP_LINE:0:COMP_POINT}" "$2" "$COMP_TYPE" 2>/dev/null)
  if [[ $kind == files ]]; then compopt -o default 2>/dev/null; fi
}
complete -o nosort -F _todo todo 2>/dev/null || complete -F _todo todo
`;

const zsh = String.raw`#compdef todo
# Completion of todo for zsh. In ~/.zshrc, after compinit: source <(todo completion zsh)
_todo() {
  local kind= line
  local -a values lines
  while IFS= read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
      continue
    fi
    values+=("\${line%%$'\t'*}")
    if [[ $line == *$'\t' ]]; then
      lines+=("\${line%$'\t'}")
    else
      lines+=("\${(r:16:)line%%$'\t'*}  \${line#*$'\t'}")
    fi
  done < <(command todo __complete zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  if [[ $kind == files ]]; then
    _files
  elif (( $#values )); then
    compadd -V todo -l -d lines -a values
  fi
}
if [[ \${funcstack[1]} == _todo ]]; then _todo "$@"; else compdef _todo todo; fi
`;

const fish = String.raw`# Completion of todo for fish. In ~/.config/fish/config.fish: todo completion fish | source
function __todo_complete
    set -l words (commandline -opc)
    set -l answer (command todo __complete fish -- $words[2..-1] (commandline -ct | string unescape; or commandline -ct) 2>/dev/null)
    if test "$answer[1]" = files
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $answer[2..-1]
    end
end
complete -c todo -f -k -a '(__todo_complete)'
`;

const scripts: Record<Shell, string> = { bash, zsh, fish };

/** The script for a shell, to be sourced by it. */
export function completionScript(shell: Shell): string {
  return scripts[shell].replaceAll(String.raw`\$`, "$");
}
