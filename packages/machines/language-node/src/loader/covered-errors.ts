import type ts from 'typescript';
import { outputUses } from './output-uses.js';

type TypeScript = typeof ts;

/** Returns the type errors of a program, a line each: `<file>(<line>,<column>): error <code>: <text>`. */
export function coveredErrors(
  compiler: TypeScript,
  program: ts.Program,
  directory: string,
): readonly string[] {
  const uses = program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && !program.isSourceFileFromExternalLibrary(file))
    .flatMap((file) => outputUses(compiler, program, file));
  const lines: { readonly at: string; readonly start: number; readonly text: string }[] = [];
  for (const { node, message } of uses)
    lines.push(line(compiler, directory, node.getSourceFile(), node.getStart(), 'error', message));
  for (const { file, start, code, messageText } of compiler.getPreEmitDiagnostics(program)) {
    // The compiler's message about a use that is reported already is another view of the same mistake.
    if (uses.some(({ node }) => node.getSourceFile() === file && within(node, start))) continue;
    lines.push(line(compiler, directory, file, start, `error TS${code}`, told(compiler, messageText)));
  }
  return lines
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.start - b.start))
    .map(({ text }) => text);
}

function within(node: ts.Node, start: number | undefined): boolean {
  return start !== undefined && node.getStart() <= start && start < node.getEnd();
}

function line(
  compiler: TypeScript,
  directory: string,
  file: ts.SourceFile | undefined,
  start: number | undefined,
  kind: string,
  message: string,
): { readonly at: string; readonly start: number; readonly text: string } {
  if (file === undefined) return { at: '', start: 0, text: `${kind}: ${message}` };
  const place = compiler.getLineAndCharacterOfPosition(file, start ?? 0);
  const name = file.fileName.startsWith(`${directory}/`)
    ? file.fileName.slice(directory.length + 1)
    : file.fileName;
  const text = `${name}(${place.line + 1},${place.character + 1}): ${kind}: ${message}`;
  return { at: name, start: start ?? 0, text };
}

/** Returns the compiler's message. For a frequent mistake, it is one line that says what to do. */
function told(compiler: TypeScript, messageText: string | ts.DiagnosticMessageChain): string {
  const text = compiler.flattenDiagnosticMessageText(messageText, '\n');
  for (const [pattern, words] of REWRITES) {
    const match = pattern.exec(text);
    if (match !== null) return words(match.slice(1) as string[]);
  }
  return text;
}

const REWRITES: readonly (readonly [RegExp, (parts: string[]) => string])[] = [
  [
    /Property '\[PROVIDER\]' is missing in type '(.+?)'/,
    ([type]) => `a provider is needed here, but ${type} is not one`,
  ],
  [
    /Property '(.+)' is missing in type '.*' but required in type '(.+)'\./s,
    ([property, type]) => `property "${property}" is missing: ${type} needs it`,
  ],
  [
    /Type '.*' is missing the following properties from type '(.+)': (.+)/,
    ([type, properties]) => `properties ${properties} are missing: ${type} needs them`,
  ],
  [
    /^Type 'Output<(.+)>' is not assignable to type 'Input<(.+?)>/,
    ([given, wanted]) => `this takes ${wanted}, not an output of ${given}`,
  ],
  [
    /^Type '(.+)' is not assignable to type 'Input<(.+?)>/,
    ([given, wanted]) => `this takes ${wanted}, not ${given}`,
  ],
  [
    /^Type 'Output<(.+)>' is not assignable to type '(.+?)'/,
    ([given, wanted]) => `this takes ${wanted}, not an output of ${given}: use its value inside apply`,
  ],
  [
    /^Property '(.+)' does not exist on type 'Output<(string|number|boolean)>'/,
    ([property]) => `an output has no "${property}": use apply((value) => value.${property})`,
  ],
];
