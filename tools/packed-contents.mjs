// Allowed and required contents of a published package, checked in its folder and the list of files npm packs.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

const MUST = ['package.json', 'README.md', 'LICENSE'];
const MAY = /^(dist|bin|deploy|docs|templates)\//;
/** Code of others: esbuild has resolved its imports, except optional ones. */
const OTHERS = /^dist\/(clouds|inside)\//;
const MUST_NOT = /\.test\.|\.map$|\btestdata\b|(^|\/)src\/|\.tsbuildinfo$/;

/** Complaints about a package; none when it is as it should be. `files` are relative to the package's folder. */
export function checkTarball(folder, files) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const present = new Set(files);
  return [
    ...MUST.filter((file) => !present.has(file)).map((file) => `${file} is missing`),
    ...files.filter((file) => isOutOfPlace(file)),
    ...entryPoints(manifest)
      .filter((file) => !present.has(file))
      .map((file) => `${file} is named in package.json and not packed`),
    ...undeclared(folder, manifest, files),
  ].map((complaint) => `${manifest.name}: ${complaint}`);
}

/** Templates are source themselves: their sources and tests belong to them. */
function isOutOfPlace(file) {
  if (file.startsWith('templates/')) return false;
  return MUST_NOT.test(file) || !(MUST.includes(file) || MAY.test(file));
}

/** Files that package.json promises: entries, commands, the provider's module. */
function entryPoints(manifest) {
  const entries = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'string' ? [target] : [target.types, target.default],
  );
  return [...entries, ...Object.values(manifest.bin ?? {}), manifest.cairn?.provider?.module]
    .filter((file) => file !== undefined)
    .map((file) => file.replace(/^\.\//, ''));
}

/** Packages that code or declarations import without naming them as dependencies. */
function undeclared(folder, manifest, files) {
  const declared = new Set([
    manifest.name,
    ...Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    }),
  ]);
  const foreign = (name) => !declared.has(name);
  const imported = files
    .filter(
      (file) => /\.(c|m)?js$|\.d\.ts$/.test(file) && !file.startsWith('templates/') && !OTHERS.test(file),
    )
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .flatMap((text) => (scannedImports(text).some(foreign) ? parsedImports(text).filter(foreign) : []));
  return [...new Set(imported)].map((name) => `imports ${name}, which is not among its dependencies`);
}

/** npm packages that a quick scan finds in a module; text that only resembles an import may be among them. */
function scannedImports(text) {
  return packagesOf(ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName));
}

/** npm packages that a module imports, exports from or requires. */
function parsedImports(text) {
  const names = [];
  const visit = (node) => {
    const specifier =
      node.moduleSpecifier ??
      (ts.isImportTypeNode(node) ? node.argument.literal : undefined) ??
      (ts.isCallExpression(node) && isImporter(node.expression) ? node.arguments[0] : undefined);
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) names.push(specifier.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest));
  return packagesOf(names);
}

function isImporter(called) {
  return (
    called.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(called) && called.text === 'require')
  );
}

/** Names of packages in specifiers; files and modules of Node.js are left out. */
function packagesOf(specifiers) {
  return specifiers
    .filter((name) => !/^[./]|^node:/.test(name) && !builtinModules.includes(name))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}
