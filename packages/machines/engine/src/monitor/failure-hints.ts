/**
 * Returns the next step. `named`: name that the text of the failure contains; `isSecret`: true if a secret value is
 * wrong.
 */
type Hint = (named: string, isSecret: boolean) => string;

const fixed =
  (text: string): Hint =>
  () =>
    text;

/**
 * Suggests another value. A secret is not given on the command line: the command asks for it, so that it stays out of
 * the shell's history.
 */
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
 * Hints by the beginning of a failure's text. The texts are those of Node, of both SDKs and of language hosts. Failures
 * whose text itself names the next step are not in the table.
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
    (name) => `Import a name that the package exports. It does not export ${name}.`,
  ],
  [
    /^Package import specifier "(.+?)" is not defined/,
    (name) => `Correct the import, or add "${name}" to \`imports\` in package.json.`,
  ],
  [/^No such built-in module: (.+)/, (name) => `Correct the import: Node has no module ${name}.`],
  [
    /^Program exited with non-zero exit code/,
    fixed('Let the program end on its own. To stop it, throw an error. Its output is above.'),
  ],
  [
    /^the program ended while it still waits/,
    fixed('Resolve the promise, or reject it: nothing is left that could.'),
  ],
  [
    /^circular dependency/,
    fixed(
      'Set one of these inputs from a value that is known before: a constant, the configuration, or another resource.',
    ),
  ],
  [
    /^(?:cannot register .+?: |8 RESOURCE_EXHAUSTED: )?a (?:registration|message) of \d+ bytes is larger than the limit/,
    fixed('Keep large content in a file, and pass its path or a FileAsset.'),
  ],
  [/^a resource waits for an input/, fixed('Set the input, or resolve the promise that it comes from.')],
];

/**
 * Returns the next step after a failure of a program, or `undefined` if the failure itself names it. `secretKeys`: keys
 * of the configuration that contain secrets; no hint would store one in plain text.
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
