import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import type typescriptModule from 'typescript';
import type { CompilerSettings } from './compiler-settings.js';
import { formatOf } from './module-format.js';

/** Whether a source may have decorators, whose types esbuild cannot write. */
export function hasDecorators(path: string): boolean {
  return /(?:^|[\s({};,])@[\w$(]/.test(readFileSync(path, 'utf8'));
}

/**
 * Transpiles one file with the TypeScript compiler at `compiler`, one file at a time as well, so that decorated members
 * carry their types. Returns JavaScript with an inline source map. Throws SyntaxError with file, line and column.
 */
export function transpileWithMetadata(
  path: string,
  compiler: string,
  options: CompilerSettings['options'],
): string {
  const ts = createRequire(import.meta.url)(compiler) as typeof typescriptModule;
  const { outputText, diagnostics } = ts.transpileModule(readFileSync(path, 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: {
      ...ts.convertCompilerOptionsFromJson(options, '').options,
      emitDecoratorMetadata: true,
      esModuleInterop: true,
      inlineSourceMap: true,
      module: formatOf(path) === 'module' ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
    },
  });
  const [first] = diagnostics ?? [];
  if (first === undefined) return withLocatedMap(outputText, path);
  const { line, character } = ts.getLineAndCharacterOfPosition(
    first.file as typescriptModule.SourceFile,
    first.start ?? 0,
  );
  const text = ts.flattenDiagnosticMessageText(first.messageText, '\n');
  throw new SyntaxError(`${path}:${line + 1}:${character + 1}: ${text}`);
}

/** The compiler names the source by the name it was given; the map names it as a neighbour of the file. */
function withLocatedMap(code: string, path: string): string {
  return code.replace(
    /(\/\/# sourceMappingURL=data:application\/json;base64,)(\S+)\s*$/,
    (_, head: string, map: string) => {
      const located = {
        ...(JSON.parse(Buffer.from(map, 'base64').toString('utf8')) as object),
        sources: [basename(path)],
      };
      return `${head}${Buffer.from(JSON.stringify(located)).toString('base64')}\n`;
    },
  );
}
