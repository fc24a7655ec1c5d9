import { spawnSync } from 'node:child_process';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(__dirname, '..', '..');

test('the classes of our providers are those of their schemas, and every property has a description', () => {
  const tool = path.join(root, 'tools', 'provider-classes.mjs');
  const said = spawnSync(process.execPath, [tool, '--check'], { encoding: 'utf8' });
  expect({ said: said.stdout + said.stderr, status: said.status }).toEqual({ said: '', status: 0 });
}, 60_000);

test.each([
  ['random', 'RandomPassword', 'length: 1', 'length', /^\(property\).*length: .*Number of characters\.$/],
  [
    'random',
    'RandomPassword',
    'length: 1, lower: false',
    'lower',
    /Use lower-case letters\. Default: `true`\.$/,
  ],
  ['local', 'LocalFile', "path: 'a', encoding: 'base64'", 'encoding', /Encoding of content\./],
  ['postgresql', 'PostgresqlRole', "name: 'a', login: true", 'login', /Whether it may connect\./],
  [
    'postgresql',
    'PostgresqlProvider',
    "sslMode: 'require'",
    'sslMode',
    /verify-full also checks the certificate/,
  ],
])(
  '%s: an editor that points at an input of %s in { %s } says what %s means',
  (name, type, args, property, said) => {
    const text = `import { ${type} } from '@cairn/provider-${name}';\nnew ${type}('it', { ${args} });\n`;
    expect(hover(text, text.lastIndexOf(`${property}:`))).toMatch(said);
  },
  60_000,
);

const file = path.join(root, 'hovered.ts');
let shown = { text: '', version: 0 };
const { config } = ts.readConfigFile(path.join(root, 'tsconfig.base.json'), ts.sys.readFile) as {
  config: { compilerOptions: object };
};
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
/** One service for all programs, since it keeps the files it has read. */
const service = ts.createLanguageService({
  getCompilationSettings: () => ({ ...options, customConditions: ['cairn-src'], noEmit: true }),
  getScriptFileNames: () => [file],
  getScriptVersion: (name) => (name === file ? String(shown.version) : '1'),
  getScriptSnapshot: (name) => {
    const text = name === file ? shown.text : ts.sys.readFile(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => root,
  directoryExists: ts.sys.directoryExists,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  readFile: ts.sys.readFile,
  fileExists: (name) => name === file || ts.sys.fileExists(name),
});

/** Returns the text that an editor shows about a place in a program. */
function hover(text: string, position: number): string {
  shown = { text, version: shown.version + 1 };
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
  const info = service.getQuickInfoAtPosition(file, position);
  return [...(info?.displayParts ?? []), { text: ' ' }, ...(info?.documentation ?? [])]
    .map((part) => part.text)
    .join('')
    .replaceAll(/\s+/g, ' ');
}
