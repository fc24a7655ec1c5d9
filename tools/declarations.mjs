// Makes the declarations of all published packages in one run of the compiler. `npm run typecheck` finds errors of
// types; here only syntax and missing annotations count, so that the compiler can leave out most of its work.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { removeDeclarations } from './dist.mjs';
import { root } from './setup.mjs';
import { packageFolder, packageFolders } from './workspaces.mjs';

const names = [...packageFolders.keys()].filter((name) => {
  const { exports, private: isPrivate } = JSON.parse(
    readFileSync(path.join(packageFolder(name), 'package.json'), 'utf8'),
  );
  return isPrivate !== true && exports['.'] !== undefined;
});

const published = new Set(names.map(packageFolder));

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
      rootDir: path.join(root, 'packages'),
    },
    include: names.map((name) => path.join(packageFolder(name), 'src')),
    exclude: ['packages/*/*/src/**/*.test.ts', 'packages/*/*/src/**/testdata'],
  },
  ts.sys,
  root,
);
const program = ts.createProgram(fileNames, options);
for (const name of names) removeDeclarations(path.join(packageFolder(name), 'dist'));
const { diagnostics } = program.emit(undefined, (file, text) => {
  const [floor, folder, src, ...rest] = path.relative(path.join(root, 'packages'), file).split(path.sep);
  const home = path.join(root, 'packages', floor, folder);
  if (src !== 'src' || !published.has(home)) return;
  const place = path.join(home, 'dist', ...rest);
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
