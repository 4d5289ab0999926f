// SPDX-License-Identifier: Apache-2.0
// What each shell runs when Tab is pressed: `isthmos complete`, whose answer is one candidate a line (value, tab,
// description), or `:files` or `:folders` for what the shell lists itself. No word of the command line and no
// candidate is ever evaluated; nothing but functions of these names is defined.

/** The shells there is a script for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

// A `=` is a word of its own there; the candidates then stand for what follows it.
const BASH = `# bash completion for isthmos, bash 4 or later.
_isthmos() {
  local value description
  COMPREPLY=()
  while IFS=$'\\t' read -r value description; do
    case $value in
      :files) compopt -o default ;;
      :folders) compopt -o dirnames ;;
      *)
        printf -v value %q "$value"
        COMPREPLY+=("$value")
        ;;
    esac
  done < <(command isthmos complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _isthmos isthmos
`;

const ZSH = `#compdef isthmos
# zsh completion for isthmos.
_isthmos() {
  local line ret=1
  local -a lines candidates
  lines=("\${(@f)$(command isthmos complete zsh -- "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  [[ $PREFIX == -*=* ]] && compset -P '*='
  for line in $lines; do
    case $line in
      :files) _files && ret=0 ;;
      :folders) _files -/ && ret=0 ;;
      *) candidates+=("\${\${line//:/\\\\:}/$'\\t'/:}") ;;
    esac
  done
  (( $#candidates )) && _describe -t isthmos isthmos candidates && ret=0
  return ret
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _isthmos "$@"
else
  compdef _isthmos isthmos
fi
`;

const FISH = `# fish completion for isthmos.
function __isthmos_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l before (string match -r -- '^-[^=]*=' "$current")
    set -l path (string replace -r -- '^-[^=]*=' '' "$current")
    for line in (command isthmos complete fish -- $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case :files
                printf "$before%s\\n" (__fish_complete_path "$path")
            case :folders
                printf "$before%s\\n" (__fish_complete_directories "$path")
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c isthmos -f -a '(__isthmos_complete)'
`;

/** The script of each shell, to be sourced by it. */
export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
