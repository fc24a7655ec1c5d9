/** Says the next step. `named`: what the failure is about, by its text; `isSecret`: a secret value is wrong. */
type Hint = (named: string, isSecret: boolean) => string;

const fixed =
  (text: string): Hint =>
  () =>
    text;

/** A value that is not given on the command line is asked for, and stays out of the history of the shell. */
const setAgain: Hint = (key, isSecret) =>
  isSecret
    ? `Set another value: \`cairn config set --secret ${key}\` asks for it.`
    : `Set another value: \`cairn config set ${key} VALUE\`.`;

const setParts: Hint = (key, isSecret) =>
  isSecret
    ? `Set it part by part: \`cairn config set --secret --path ${key}.NAME\` asks for each value.`
    : `Set it part by part: \`cairn config set --path ${key}.NAME VALUE\`.`;

const install: Hint = (name) => `Run \`npm install ${name}\` in the folder of the program.`;

/**
 * The next step by how the text of a failure begins. Texts are those of Node, of both SDKs and of language hosts; what
 * a text itself says to do is not in the table.
 */
const HINTS: readonly (readonly [text: RegExp, hint: Hint])[] = [
  [/^(?:secret )?configuration value "([^"]+)" is not JSON/, setParts],
  [/^(?:secret )?configuration value "([^"]+)" is (?!not set)/, setAgain],
  [/^(?:secret )?configuration value "([^"]+)" does not match/, setAgain],
  [/^Configuration '([^']+)' value '[^]*' is not a valid JSON object/, setParts],
  [/^Configuration '([^']+)' value /, setAgain],
  [/^Cannot find package '((?:@[^/']+\/)?[^/']+)/, install],
  [/^Cannot find module '((?:@[^./'][^/']*\/)?[^./'][^/']*)/, install],
  [/^Cannot find module '(.+?)'/, fixed('Correct the path of the import: there is no such file.')],
  [
    /^Package subpath '\.?\/?(.+?)' is not defined/,
    (name) => `Import what the package exports: ${name} is not.`,
  ],
  [
    /^Package import specifier "(.+?)" is not defined/,
    (name) => `Correct the import, or add "${name}" to \`imports\` in package.json.`,
  ],
  [/^No such built-in module: (.+)/, (name) => `Correct the import: Node has no module ${name}.`],
  [
    /^Program exited with non-zero exit code/,
    fixed('Let the program end by itself; to stop it, throw an error. What it has written is above.'),
  ],
  [
    /^the program ended while it still waits/,
    fixed('Resolve the promise, or reject it: nothing is left that could.'),
  ],
  [
    /^circular dependency/,
    fixed(
      'Take one of these inputs from something that is known before: a constant, the configuration, or another resource.',
    ),
  ],
  [/^a resource waits for an input/, fixed('Give the input a value, or resolve the promise it is made of.')],
];

/**
 * The next step after a failure of a program; undefined: the failure says it itself. `secretKeys`: keys of the
 * configuration that hold secrets; no hint would store one in the clear.
 */
export function hintFor(text: string, secretKeys: readonly string[] = []): string | undefined {
  const said = text.replace(/^\w*Error: /, '');
  for (const [pattern, hint] of HINTS) {
    const found = pattern.exec(said);
    if (found === null) continue;
    const [, named = ''] = found;
    return hint(named, said.startsWith('secret ') || secretKeys.includes(named));
  }
  return undefined;
}
