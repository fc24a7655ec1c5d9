import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../setup.mjs';
import { packageFolders } from '../workspaces.mjs';

/** Packages whose entries export for users. No process uses `changes-daemon` yet. */
const FOR_USERS = new Set([
  ...['sdk', 'provider-sdk', 'provider-terraform', 'automation'],
  ...['provider-random', 'provider-local', 'provider-postgresql', 'changes-daemon'],
]);

/** Folders whose exports are checked, and files in them whose exports are read by name at run time. */
const CHECKED = /^packages\/\w+\/[\w-]+\/src\/|^tools\/|^e2e\/support\//;
const LOADED = /\/generated\/|\/testdata\/|\/loader\/esm-hooks\.ts$/;

const IGNORED = /^(node_modules|dist|dist-dev|\..*)$/;
const TESTS = /\.test\.ts$|\/test\/|\/testdata\/|^packages\/testing\/|^e2e\/|^tools\/checks\//;

/**
 * Exports that no other file uses, and code that only tests use: exported, and used neither by a product nor in its own
 * file. Each as `file: name`. Entries of packages for users use what they export, and a default export of any entry is
 * used. A re-export uses its source only if it is used itself.
 */
export function unusedExports() {
  const entries = entryFiles();
  const modules = new Map(sourceFiles().map((file) => [file, read(file)]));
  const find = (file, specifier) => resolve(file, specifier, { modules, entries });
  const used = new Set();
  const usedByProducts = new Set();

  for (const [specifier, file] of entries) {
    const isForUsers = FOR_USERS.has(specifier.split('/')[1]);
    for (const name of namesOf(file)) if (isForUsers || name === 'default') use(file, name, true);
  }
  for (const [file, { imports }] of modules) {
    for (const { from, names, mentioned } of imports) {
      const target = find(file, from);
      const wanted = names ?? namesOf(target).filter((name) => mentioned.has(name));
      for (const name of wanted) use(target, name, !TESTS.test(file));
    }
  }

  const checked = [...modules].filter(([file]) => CHECKED.test(file) && !LOADED.test(file));
  const keys = (file, names) => names.map((name) => `${file}: ${name}`);
  return {
    unused: checked.flatMap(([file]) => keys(file, ownNames(file))).filter((each) => !used.has(each)),
    testsOnly: checked
      .filter(([file]) => !TESTS.test(file))
      .flatMap(([file, { exports, usedInside }]) =>
        keys(
          file,
          exports.filter((name) => !usedInside.has(name)),
        ),
      )
      .filter((each) => used.has(each) && !usedByProducts.has(each)),
  };

  function use(file, name, byProduct) {
    const key = `${file}: ${name}`;
    if (file === undefined || usedByProducts.has(key) || (used.has(key) && !byProduct)) return;
    used.add(key);
    if (byProduct) usedByProducts.add(key);
    for (const { from, source, as } of modules.get(file)?.reexports ?? []) {
      const target = find(file, from);
      if (as === undefined && namesOf(target).includes(name)) use(target, name, byProduct);
      else if (as === name)
        for (const each of source ? [source] : namesOf(target)) use(target, each, byProduct);
    }
  }

  function ownNames(file) {
    const { exports = [], reexports = [] } = modules.get(file) ?? {};
    return [...exports, ...reexports.flatMap(({ as }) => as ?? [])];
  }

  function namesOf(file) {
    const stars = (modules.get(file)?.reexports ?? []).filter(({ as }) => as === undefined);
    return [...ownNames(file), ...stars.flatMap(({ from }) => namesOf(find(file, from)))];
  }
}

const FOR_PROGRAMS = 'packages/authors/sdk/';

/** Names that `sdk` exports because programs written for Pulumi's SDK import them. Another package may use them too. */
const PULUMI_SDK_NAMES = new Set([
  ...['Config', 'CustomTimeouts', 'Output', 'StackReference'],
  ...['isSecret', 'isUnknown', 'secret', 'unknown'],
]);

/** Modules of subcommands: the command table loads the export that has a subcommand's name, as `list` and `remove`. */
const COMMANDS = 'packages/edges/cli/src/commands/';

/**
 * Returns the names that products of two packages or more define and export, and those that two files of one package
 * do, sorted. Re-exports define nothing, nor do exports of imported names.
 */
export function namesOfSeveralFiles() {
  const owners = new Map();
  const add = (name, owner) => owners.set(name, (owners.get(name) ?? new Set()).add(owner));
  for (const file of sourceFiles('packages')) {
    if (!CHECKED.test(file) || LOADED.test(file) || TESTS.test(file)) continue;
    const { exports, imports } = read(file);
    const imported = new Set(imports.flatMap(({ names = [] }) => names));
    for (const name of exports) {
      if (imported.has(name) || name === 'default') continue;
      if (file.startsWith(FOR_PROGRAMS) && PULUMI_SDK_NAMES.has(name)) continue;
      add(name, file.startsWith(COMMANDS) ? COMMANDS : file);
    }
  }
  return [...owners.keys()].filter((name) => owners.get(name).size > 1).sort();
}

/** Returns the hand-written files that may import or be imported, by path from the root. */
function sourceFiles(folder = '') {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return IGNORED.test(entry.name) ? [] : sourceFiles(file);
    return /(?<!\.d)\.[mc]?[tj]s$/.test(file) || (entry.isFile() && folder.endsWith('/bin')) ? [file] : [];
  });
}

/** Returns the source file of each entry of our packages, by its specifier. */
function entryFiles() {
  return new Map(
    [...packageFolders].flatMap(([name, folder]) => {
      const { exports } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
      return Object.entries(exports).flatMap(([entry, { 'cairn-src': source }]) =>
        source === undefined
          ? []
          : [[path.posix.join(`@cairn/${name}`, entry), path.posix.join(fromRoot(folder), source)]],
      );
    }),
  );
}

function fromRoot(file) {
  return path.relative(root, file).replaceAll(path.sep, '/');
}

const ENDINGS = ['.ts', '.mts', '/index.ts'];

/** File that a file means by `./x.js`, `../x/dist/x.js`, `@cairn/x`, `src/x.ts` of its package or `x/src/x.ts`. */
function resolve(file, specifier, { modules, entries }) {
  if (specifier.startsWith('@cairn/')) return entries.get(specifier);
  const [name, ...rest] = specifier.split('/');
  const places = specifier.startsWith('.')
    ? [path.posix.join(path.posix.dirname(file), specifier)]
    : [
        path.posix.join(...file.split('/').slice(0, 3), specifier),
        ...(packageFolders.has(name) ? [path.posix.join(fromRoot(packageFolders.get(name)), ...rest)] : []),
      ];
  return places
    .map((place) => place.replace('/dist/', '/src/'))
    .flatMap((place) => [place, ...ENDINGS.map((ending) => place.replace(/\.[mc]?js$/, ending))])
    .find((place) => modules.has(place));
}

const NAME = /[A-Za-z_$][\w$]*/g;
const COMMENT = /\/\*[^]*?\*\/|\/\/ .*/g;

/** Paths and names of modules in quotes. */
const MODULE = /(['"`])((?:\.{1,2}\/|@cairn\/|src\/|[\w-]+\/src\/)[\w./-]*)\1/g;

/**
 * Names that a file exports, re-exports and imports. A module that it names elsewhere, as in `import()` or in the text
 * of a program for a test, is imported with every name that the file mentions.
 */
function read(file) {
  const text = readFileSync(path.join(root, file), 'utf8');
  const found = { exports: [], reexports: [], imports: [] };
  let rest = '';
  for (const node of ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements) {
    if (ts.isImportDeclaration(node) && !isWhole(node)) found.imports.push(namedImport(node));
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
      found.reexports.push(...reexports(node));
    else {
      rest += text.slice(node.pos, node.end);
      found.exports.push(...exported(node));
    }
  }
  const mentioned = new Set(rest.match(NAME));
  for (const [, , from] of rest.matchAll(MODULE)) found.imports.push({ from, mentioned });
  return { ...found, usedInside: repeated(rest.replace(COMMENT, '').match(NAME) ?? []) };
}

function repeated(names) {
  const seen = new Set();
  return new Set(names.filter((name) => seen.has(name) || !seen.add(name)));
}

function isWhole(node) {
  const bindings = node.importClause?.namedBindings;
  return bindings !== undefined && ts.isNamespaceImport(bindings);
}

function namedImport({ importClause, moduleSpecifier }) {
  const names = (importClause?.namedBindings?.elements ?? []).map(
    (each) => (each.propertyName ?? each.name).text,
  );
  return {
    from: moduleSpecifier.text,
    names: importClause?.name === undefined ? names : ['default', ...names],
  };
}

/** `as` is absent for `export *`, `source` for `export * as`. */
function reexports({ exportClause, moduleSpecifier }) {
  const from = moduleSpecifier.text;
  if (exportClause === undefined) return [{ from }];
  if (ts.isNamespaceExport(exportClause)) return [{ from, as: exportClause.name.text }];
  return exportClause.elements.map((each) => ({
    ...{ from, as: each.name.text },
    source: (each.propertyName ?? each.name).text,
  }));
}

function exported(node) {
  if (ts.isExportAssignment(node)) return ['default'];
  if (ts.isExportDeclaration(node)) return node.exportClause.elements.map((each) => each.name.text);
  const modifiers = (ts.canHaveModifiers(node) && ts.getModifiers(node)?.map(({ kind }) => kind)) || [];
  if (!modifiers.includes(ts.SyntaxKind.ExportKeyword)) return [];
  if (modifiers.includes(ts.SyntaxKind.DefaultKeyword)) return ['default'];
  return ts.isVariableStatement(node) ? node.declarationList.declarations.flatMap(bound) : [node.name.text];
}

function bound({ name }) {
  return ts.isIdentifier(name) ? [name.text] : name.elements.flatMap(bound);
}
