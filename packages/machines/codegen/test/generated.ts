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

/** A package that was generated into a folder of its own. */
export interface Generated {
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
  /** What the root exports, as `import * as pkg` has it. */
  readonly exports: Readonly<Record<string, never>>;
  /** What TypeScript, as strict as can be, says about a program that imports `@cairn-sdks/<name>`. */
  diagnose(program: string): readonly string[];
  /** What node cannot read of the files that it loads. */
  syntaxErrors(): readonly string[];
  remove(): void;
}

/** The files of a schema by path. */
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

/** Whether node reads a file: as an ES module or not, as the package.json beside it says. */
function isRead(file: string): boolean {
  return spawnSync(process.execPath, ['--check', file]).status === 0;
}

/** The package as its `package.js` opens it. This file is CommonJS, so the module is read rather than imported. */
function opened(folder: string): object {
  const text = readFileSync(path.join(folder, 'package.js'), 'utf8');
  const info = /openPackage\(import\.meta\.url, (.*)\);/.exec(text)?.[1];
  const pkg = new Function('openPackage', 'url', `return openPackage(url, ${info});`)(
    openPackage,
    pathToFileURL(path.join(folder, 'package.js')).href,
  ) as GeneratedPackage;
  return pkg.module('');
}

/** What was compiled before: files that have not changed are not read again. */
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
