// Makes the declarations of all published packages in one run of the compiler. `npm run typecheck` finds errors of
// types; here only syntax and missing annotations count, so that the compiler can leave out most of its work.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { removeDeclarations } from './dist.mjs';
import { root } from './setup.mjs';

const packages = path.join(root, 'packages');
const names = readdirSync(packages).filter((name) => {
  const { exports, private: isPrivate } = JSON.parse(
    readFileSync(path.join(packages, name, 'package.json'), 'utf8'),
  );
  return isPrivate !== true && exports['.'] !== undefined;
});

const { options, fileNames } = ts.parseJsonConfigFileContent(
  {
    extends: './tsconfig.base.json',
    compilerOptions: {
      emitDeclarationOnly: true,
      declarationMap: false,
      sourceMap: false,
      noCheck: true,
      stripInternal: true,
      customConditions: ['cairn-src'],
      rootDir: packages,
    },
    include: names.map((name) => `packages/${name}/src`),
    exclude: ['packages/*/src/**/*.test.ts', 'packages/*/src/**/testdata'],
  },
  ts.sys,
  root,
);
const program = ts.createProgram(fileNames, options);
for (const name of names) removeDeclarations(path.join(packages, name, 'dist'));
const { diagnostics } = program.emit(undefined, (file, text) => {
  const [name, src, ...rest] = path.relative(packages, file).split(path.sep);
  if (src !== 'src' || !names.includes(name)) return;
  const place = path.join(packages, name, 'dist', ...rest);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
});
const problems = [
  ...program.getSyntacticDiagnostics(),
  ...program.getDeclarationDiagnostics(),
  ...diagnostics,
];
if (problems.length > 0) {
  process.stderr.write(
    ts.formatDiagnostics(problems, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => root,
      getNewLine: () => '\n',
    }),
  );
  process.exitCode = 1;
}
