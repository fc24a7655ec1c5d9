import { EXIT, cairnError } from '@cairn/diagnostics';
import { ALIAS, isAlias } from '../terminal/called-as.js';
import type { Command } from '../command-spec.js';

/** Word that a completion script passes before the typed command line. */
export const ANSWER_WORD = '__complete';

/** Returns a shell's script for the command of the given name. */
type Script = (name: string) => string;

const bash: Script = (name) => `# bash completion of ${name}: source <(${name} gen-completion bash)
_${name}_complete() {
  local line="\${COMP_LINE:0:COMP_POINT}" cur cut quote word
  cur="\${line##*[[:space:]]}"
  # An answer takes the place of what is behind a quote that is open, or else behind the last : or =, as it is typed.
  case "$cur" in
    *\\'*) quote=single cut="\${cur%%\\'*}" ;;
    *\\"*) quote=double cut="\${cur%%\\"*}" ;;
    *) quote=none cut="\${cur%"\${cur##*[:=]}"}" ;;
  esac
  cut="\${cut//\\\\/}"
  COMPREPLY=()
  while IFS= read -r word; do
    word="\${word#"$cut"}"
    [ -n "$word" ] || continue
    case "$quote" in
      double) word="\${word//\\$/\\\\$}" ;;
      none) printf -v word '%q' "$word" ;;
    esac
    COMPREPLY+=("$word")
  done < <(${name} ${ANSWER_WORD} --line "$line" 2>/dev/null)
  case "\${COMPREPLY[0]-}" in *=) compopt -o nospace 2>/dev/null ;; esac
}
complete -o default -F _${name}_complete ${name}
`;

const zsh: Script = (name) => `#compdef ${name}
# zsh completion of ${name}: source <(${name} gen-completion zsh)
_${name}_complete() {
  local -a answers
  answers=("\${(@f)$(${name} ${ANSWER_WORD} -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  answers=("\${(@)answers:#}")
  if (( \${#answers} )); then compadd -- "\${answers[@]}"; else _files; fi
}
compdef _${name}_complete ${name}
`;

const fish: Script = (name) => `# fish completion of ${name}: ${name} gen-completion fish | source
function __${name}_complete
  ${name} ${ANSWER_WORD} -- (commandline -opc)[2..-1] (commandline -ct | string unescape) 2>/dev/null
end
complete -c ${name} -f -a '(__${name}_complete)'
`;

const powershell: Script = (
  name,
) => `# PowerShell completion of ${name}: ${name} gen-completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName ${name} -ScriptBlock {
  param($word, $line, $point)
  ${name} ${ANSWER_WORD} --line $line.ToString().PadRight($point) 2>$null |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;

/** Scripts by shell. */
const SCRIPTS: Readonly<Record<string, Script>> = { bash, zsh, fish, powershell };

/** `gen-completion` */
export const script: Command = ({ args: [shell = ''] }, context) => {
  const made = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (made === undefined)
    throw cairnError('CAIRN-USAGE', `no completion for shell ${JSON.stringify(shell)}`, {
      hint: `Choose one of ${Object.keys(SCRIPTS).join(', ')}.`,
    });
  context.stdout.write(made(isAlias(context) ? ALIAS : 'cairn'));
  return Promise.resolve(EXIT.ok);
};
