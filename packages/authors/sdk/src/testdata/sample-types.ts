import path from 'node:path';
import ts from 'typescript';

const directory = path.resolve(__dirname, '..');
const file = path.join(directory, 'sample.ts');

/** What an editor says of a sample program: the types of what it exports, by name, and its errors, line and text. */
export interface SampleTypes {
  readonly hovers: Readonly<Record<string, string>>;
  readonly errors: readonly string[];
}

let current = '';
let version = 0;

/** One service for all samples, since it keeps what it has read; settings are those of a strict program. */
const service = ts.createLanguageService({
  getScriptFileNames: () => [file],
  getScriptVersion: (name) => (name === file ? String(version) : '1'),
  getScriptSnapshot: (name) => {
    const text = name === file ? current : ts.sys.readFile(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => directory,
  getCompilationSettings: () => ({
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    customConditions: ['cairn-src'],
    strict: true,
    declaration: true,
    skipLibCheck: true,
    types: ['node'],
  }),
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: (name) => name === file || ts.sys.fileExists(name),
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});

/** Looks at a program as an editor does. It may import `@cairn/sdk`. */
export function sampleTypes(source: string): SampleTypes {
  current = source;
  version += 1;
  const program = service.getProgram() as ts.Program;
  const parsed = program.getSourceFile(file) as ts.SourceFile;
  const errors = [
    ...service.getSyntacticDiagnostics(file),
    ...service.getSemanticDiagnostics(file),
    ...program.getDeclarationDiagnostics(parsed),
  ].map(({ start, messageText }) => {
    const { line } = parsed.getLineAndCharacterOfPosition(start ?? 0);
    return `${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  const hovers = [...source.matchAll(/export const (\w+)/g)].map((match) => {
    const name = match[1] as string;
    const info = service.getQuickInfoAtPosition(file, match.index + match[0].length - name.length);
    const text = ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, ' ');
    return [name, text.replace(`const ${name}: `, '')];
  });
  return { hovers: Object.fromEntries(hovers) as Record<string, string>, errors };
}
