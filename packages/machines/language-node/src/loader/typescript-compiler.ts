import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import type typescriptModule from 'typescript';
import type { TypeScriptCompiler } from './compiler-settings.js';
import { formatOf } from './module-format.js';

type TypeScript = typeof typescriptModule;

/**
 * Returns true if a compiler takes a source: all of them, or those that may have decorators, whose types esbuild cannot
 * write.
 */
export function isCompiledBy(compiler: TypeScriptCompiler | undefined, path: string): boolean {
  if (compiler === undefined) return false;
  return compiler.sources === 'all' || /(?:^|[\s({};,])@[\w$(]/.test(readFileSync(path, 'utf8'));
}

/**
 * Transpiles a single file with a TypeScript compiler, as esbuild does it: JavaScript with an inline source map. If the
 * compiler cannot read the source, returns undefined when another may try (`sources` is `all`: an old compiler may not
 * know the syntax). Otherwise throws a SyntaxError with file, line and column.
 */
export function transpileWithTypeScript(path: string, compiler: TypeScriptCompiler): string | undefined {
  const ts = createRequire(import.meta.url)(compiler.path) as TypeScript;
  if (typeof ts.transpileModule !== 'function') return unreadable(compiler, `${compiler.path} has no API`);
  const { outputText, diagnostics = [] } = ts.transpileModule(readFileSync(path, 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: optionsFor(ts, path, compiler),
  });
  // Complaints about options have no file: other tools judge those.
  const first = diagnostics.find(({ file }) => file !== undefined);
  if (first === undefined) return withLocatedMap(outputText, path);
  const source = first.file as typescriptModule.SourceFile;
  const { line, character } = ts.getLineAndCharacterOfPosition(source, first.start ?? 0);
  const text = ts.flattenDiagnosticMessageText(first.messageText, '\n');
  return unreadable(compiler, `${path}:${line + 1}:${character + 1}: ${text}`);
}

function unreadable(compiler: TypeScriptCompiler, problem: string): undefined {
  if (compiler.sources === 'all') return undefined;
  throw new SyntaxError(problem);
}

/**
 * Returns the options that the SDK passes to its own loader: its defaults, then the tsconfig. Adds options that are
 * needed to run one file.
 */
function optionsFor(
  ts: TypeScript,
  path: string,
  { options }: TypeScriptCompiler,
): typescriptModule.CompilerOptions {
  const given = ts.convertCompilerOptionsFromJson(options, '').options;
  const isModule = formatOf(path) === 'module';
  // Node decides the kind of modules of a file. Of the kinds that fit, the tsconfig chooses one.
  const fitting = ts.ModuleKind.NodeNext ?? ts.ModuleKind.CommonJS;
  const kind = given.module ?? fitting;
  const isNodes =
    kind === ts.ModuleKind.CommonJS || (kind >= (ts.ModuleKind.Node16 ?? Infinity) && kind <= fitting);
  return {
    ...given,
    target: targetOf(ts, given.target, isModule),
    module: isModule ? ts.ModuleKind.ESNext : isNodes ? kind : ts.ModuleKind.CommonJS,
    moduleResolution: undefined,
    declaration: false,
    noEmit: false,
    inlineSourceMap: true,
    sourceMap: false,
  };
}

/**
 * Returns the target of the tsconfig, else that of the SDK's loader, else the newest that an old compiler knows. A
 * target without native classes does not count: its classes cannot extend the SDK's.
 */
function targetOf(
  ts: TypeScript,
  given: typescriptModule.ScriptTarget | undefined,
  isModule: boolean,
): typescriptModule.ScriptTarget {
  if (given !== undefined && given >= ts.ScriptTarget.ES2015) return given;
  const usual = isModule ? ts.ScriptTarget.ES2022 : ts.ScriptTarget.ES2020;
  return usual ?? ts.ScriptTarget.ESNext;
}

/**
 * Rewrites the source map. The compiler names the source as it was passed; the map names it as a neighbour of the file.
 */
function withLocatedMap(code: string, path: string): string {
  return code.replace(
    /(\/\/# sourceMappingURL=data:application\/json;base64,)(\S+)\s*$/,
    (_, head: string, map: string) => {
      const located = {
        ...(JSON.parse(Buffer.from(map, 'base64').toString('utf8')) as object),
        sourceRoot: '',
        sources: [basename(path)],
      };
      return `${head}${Buffer.from(JSON.stringify(located)).toString('base64')}\n`;
    },
  );
}
