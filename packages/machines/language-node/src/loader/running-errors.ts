import { dirname } from 'node:path';
import type ts from 'typescript';
import type { SourcesThatRun } from './typecheck-request.js';

type TypeScript = typeof ts;

/**
 * Returns the type errors of a program's entry and of all sources that it has loaded, a line each:
 * `<file>(<line>,<column>): error TS<code>: <text>`, in the compiler's words. Sources of which only types are used are
 * not loaded. Declarations, installed packages, and errors about the options as a whole are ignored.
 */
export function errorsOfSourcesThatRun(
  compiler: TypeScript,
  what: SourcesThatRun,
  directory: string,
): readonly string[] {
  const { options, fileNames, errors } = settingsOf(compiler, what, directory);
  const ignored = new Set([...WITHOUT_FILES, ...what.ignored]);
  const counts = ({ code }: ts.Diagnostic): boolean => !ignored.has(code);
  const wrong = errors.filter(counts);
  if (wrong.length > 0) return linesOf(compiler, wrong, directory);
  const host = compiler.createCompilerHost(options);
  const program = compiler.createProgram([what.entry, ...fileNames], options, host);
  const found = program
    .getSourceFiles()
    .filter(isOwnSource)
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .filter(counts);
  if (found.length === 0) return [];
  const runs = sourcesThatRun(compiler, program, host, what.entry);
  return linesOf(
    compiler,
    found.filter(({ file }) => file !== undefined && runs.has(file)),
    directory,
  );
}

/** Codes of errors about the files that a tsconfig covers, which are irrelevant here. */
const WITHOUT_FILES = [6059, 18002, 18003];

interface Settings {
  readonly options: ts.CompilerOptions;
  readonly fileNames: readonly string[];
  readonly errors: readonly ts.Diagnostic[];
}

/**
 * Returns the options that ts-node receives: those of ts-node, else those of the tsconfig itself, else the defaults of
 * the SDK. These defaults thus come before options that the tsconfig extends.
 */
function settingsOf(compiler: TypeScript, what: SourcesThatRun, directory: string): Settings {
  const { tsconfig, files } = what;
  const read =
    tsconfig === undefined ? { config: {} } : compiler.readConfigFile(tsconfig, compiler.sys.readFile);
  if (read.error !== undefined) return { options: {}, fileNames: [], errors: [read.error] };
  const config = read.config as { readonly compilerOptions?: object } | undefined;
  const content = {
    ...config,
    compilerOptions: {
      ...defaultsOf(compiler, what),
      ...config?.compilerOptions,
      ...what.compilerOptions,
    },
    ...(files && tsconfig !== undefined ? {} : { files: [], include: [] }),
  };
  const base = tsconfig === undefined ? directory : dirname(tsconfig);
  const parsed = compiler.parseJsonConfigFileContent(content, compiler.sys, base, undefined, tsconfig);
  return { ...parsed, options: { ...parsed.options, ...AS_RUN } };
}

/** Options that emit only the JavaScript of single sources, even if there are errors. */
const AS_RUN: ts.CompilerOptions = {
  noEmit: false,
  noEmitOnError: false,
  declaration: false,
  declarationMap: false,
  emitDeclarationOnly: false,
  composite: false,
  incremental: false,
  tsBuildInfoFile: undefined,
  outFile: undefined,
  sourceMap: false,
  inlineSourceMap: false,
  inlineSources: false,
};

function defaultsOf({ versionMajorMinor }: TypeScript, { modules }: SourcesThatRun): object {
  const [major = 0, minor = 0] = versionMajorMinor.split('.').map(Number);
  const knows = major > 4 || (major === 4 && minor >= 7);
  return modules === 'node' && knows
    ? { target: 'ES2020', module: 'nodenext', moduleResolution: 'nodenext' }
    : { target: 'ES2020', module: 'commonjs', moduleResolution: 'node' };
}

function isOwnSource({ fileName, isDeclarationFile }: ts.SourceFile): boolean {
  return !isDeclarationFile && !fileName.includes('/node_modules/') && !fileName.endsWith('.json');
}

/** Returns the sources that a program loads. Modules imported only for their types are not among them. */
function sourcesThatRun(
  compiler: TypeScript,
  program: ts.Program,
  host: ts.CompilerHost,
  entry: string,
): ReadonlySet<ts.SourceFile> {
  const found = new Set<ts.SourceFile>();
  const visit = (path: string): void => {
    const file = program.getSourceFile(path);
    if (file === undefined || found.has(file) || !isOwnSource(file)) return;
    found.add(file);
    for (const name of importedNames(compiler, program, file)) {
      const { resolvedModule } = compiler.resolveModuleName(
        name,
        file.fileName,
        program.getCompilerOptions(),
        host,
        undefined,
        undefined,
        file.impliedNodeFormat,
      );
      if (resolvedModule !== undefined) visit(resolvedModule.resolvedFileName);
    }
  };
  visit(entry);
  return found;
}

/** Returns the names of the modules that a source imports once it is JavaScript. */
function importedNames(compiler: TypeScript, program: ts.Program, file: ts.SourceFile): readonly string[] {
  let code = '';
  program.emit(file, (_, text) => (code += text));
  return compiler.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);
}

function linesOf(
  compiler: TypeScript,
  diagnostics: readonly ts.Diagnostic[],
  directory: string,
): readonly string[] {
  const host: ts.FormatDiagnosticsHost = {
    getCurrentDirectory: () => directory,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  };
  return compiler
    .sortAndDeduplicateDiagnostics(diagnostics)
    .map((diagnostic) => compiler.formatDiagnostic(diagnostic, host).trimEnd());
}
