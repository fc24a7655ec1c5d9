import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { openPackage } from '@cairn/sdk/packages';
import type { GeneratedPackage } from '@cairn/sdk/packages';
import { generatePackage, readSchema } from '../src/index.js';

const ROOT = path.resolve(__dirname, '..', '..', '..', '..');

/** Package that was generated into a folder of its own. */
export interface Generated {
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
  /** Exports of the root, like those of `import * as pkg`. */
  readonly exports: Readonly<Record<string, never>>;
  /** Returns TypeScript's diagnostics, at its strictest, for a program that imports `@cairn-sdks/<name>`. */
  diagnose(program: string): readonly string[];
  /** Returns loaded files that Node cannot parse. */
  syntaxErrors(): readonly string[];
  remove(): void;
}

/** Returns the files of a schema by path. */
export function filesOf(schema: object): ReadonlyMap<string, string> {
  const { model, problems } = readSchema(JSON.stringify(schema));
  if (model === undefined) throw new Error(JSON.stringify(problems));
  return new Map(generatePackage(model, { sdkVersion: '0.1.0' }));
}

/** Generates a package into a temporary folder. */
export function generated(schema: { readonly name: string; readonly [key: string]: unknown }): Generated {
  const files = filesOf(schema);
  const folder = mkdtempSync(path.join(tmpdir(), 'codegen-'));
  for (const [file, text] of files) {
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
  return {
    folder,
    files,
    exports: opened(folder) as never,
    diagnose: (program) => diagnose(schema.name, folder, program),
    syntaxErrors: () =>
      [...files.keys()].filter((file) => /\.c?js$/.test(file) && !isRead(path.join(folder, file))),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Returns true if Node can parse a file: as an ES module or not, as the adjacent package.json defines. */
function isRead(file: string): boolean {
  return spawnSync(process.execPath, ['--check', file]).status === 0;
}

/** Opens the package like its `package.js`. This file is CommonJS, so the module is read rather than imported. */
function opened(folder: string): object {
  const text = readFileSync(path.join(folder, 'package.js'), 'utf8');
  const info = /openPackage\(import\.meta\.url, (.*)\);/.exec(text)?.[1];
  const pkg = new Function('openPackage', 'url', `return openPackage(url, ${info});`)(
    openPackage,
    pathToFileURL(path.join(folder, 'package.js')).href,
  ) as GeneratedPackage;
  return pkg.module('');
}

/** Previous compilation: files that have not changed are not read again. */
let before: ts.Program | undefined;

function diagnose(name: string, folder: string, program: string): readonly string[] {
  const file = path.join(folder, 'program.ts');
  writeFileSync(file, program);
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    typeRoots: [path.join(ROOT, 'node_modules', '@types')],
    types: ['node'],
    customConditions: ['cairn-src'],
    paths: {
      '@cairn/sdk': [path.join(ROOT, 'packages', 'authors', 'sdk', 'src', 'index.ts')],
      [`@cairn-sdks/${name}`]: [path.join(folder, 'index.d.ts')],
      [`@cairn-sdks/${name}/*`]: [path.join(folder, '*', 'index.d.ts')],
    },
  };
  const compiler = ts.createProgram([file], options, undefined, before);
  before = compiler;
  // The sources of the SDK are read for their types, and checked elsewhere.
  const own = compiler.getSourceFiles().filter((each) => each.fileName.startsWith(folder));
  return own
    .flatMap((each) => [...compiler.getSyntacticDiagnostics(each), ...compiler.getSemanticDiagnostics(each)])
    .map(({ file: at, start, messageText }) => {
      const line =
        at === undefined
          ? ''
          : `${path.basename(at.fileName)}:${at.getLineAndCharacterOfPosition(start ?? 0).line + 1} `;
      return line + ts.flattenDiagnosticMessageText(messageText, ' ').split('. ')[0];
    });
}
