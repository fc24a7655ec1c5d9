// Gives a bundle each name from the module that makes it, where a source imports it from an index. esbuild puts a
// module beside all that its index lists, so that a script would contain much that nothing in it uses.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from './workspaces.mjs';

const OUR_SOURCES = /[\\/]packages[\\/][^\\/]+[\\/][^\\/]+[\\/]src[\\/].*\.ts$/;
const STATEMENT = /^(import|export) \{([^}]*)\} from '([^']+)';$/gm;
const EVERYTHING = /^export \* from '([^']+)';$/gm;

/** Origins of the names that an index exports from elsewhere, by index. */
const indexes = new Map();

/** Plugin of bundles of our own sources. `isOutside` is true for packages that stay dependencies. */
export function fromOwnModules(isOutside) {
  return {
    name: 'from-own-modules',
    setup({ onLoad }) {
      onLoad({ filter: OUR_SOURCES }, ({ path: file }) => ({
        contents: readFileSync(file, 'utf8').replace(STATEMENT, (whole, word, names, from) =>
          isOutside(from) ? whole : directly(file, whole, word, names, from),
        ),
        loader: 'ts',
      }));
    },
  };
}

/** The same statement as one for each module, with as many lines. */
function directly(file, whole, word, names, from) {
  const index = fileOf(from, file);
  if (index === undefined) return whole;
  const byModule = new Map();
  for (const [name, local] of specifiers(names)) {
    const made = originOf(index, name) ?? { file: index, name };
    byModule.set(made.file, [...(byModule.get(made.file) ?? []), `${made.name} as ${local}`]);
  }
  const statements = [...byModule].map(
    ([module, list]) => `${word} { ${list.join(', ')} } from ${JSON.stringify(module)};`,
  );
  return statements.join(' ') + '\n'.repeat(whole.split('\n').length - 1);
}

/** Pairs of the exported name and the local one, without types. */
function specifiers(names) {
  return names
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => each.split(/\s+as\s+/))
    .map(([name, local = name]) => [name, local]);
}

/** Module that makes a name and its name there. Undefined if the module itself does, or it is not known. */
function originOf(module, name) {
  if (!indexes.has(module)) indexes.set(module, exportsOf(module));
  const { names, all } = indexes.get(module);
  const from = names.get(name);
  if (from !== undefined) return originOf(from.file, from.name) ?? from;
  for (const other of all) {
    const made = originOf(other, name);
    if (made !== undefined) return made;
  }
  return new RegExp(`^export (?:async )?(?:const|let|class|function\\*?) ${name}\\b`, 'm').test(
    readFileSync(module, 'utf8'),
  )
    ? { file: module, name }
    : undefined;
}

function exportsOf(module) {
  const text = readFileSync(module, 'utf8');
  const names = new Map();
  for (const [, word, list, from] of text.matchAll(STATEMENT)) {
    const file = word === 'export' ? fileOf(from, module) : undefined;
    if (file !== undefined) for (const [name, local] of specifiers(list)) names.set(local, { file, name });
  }
  const all = [...text.matchAll(EVERYTHING)].map(([, from]) => fileOf(from, module));
  return { names, all: all.filter((file) => file !== undefined) };
}

/** Source that a source of ours imports. Undefined if it is not ours. */
function fileOf(from, importer) {
  if (from.startsWith('.'))
    return present(path.resolve(path.dirname(importer), from.replace(/\.js$/, '.ts')));
  if (!from.startsWith('@cairn/')) return undefined;
  const [, name, ...rest] = from.split('/');
  const folder = packageFolder(name);
  const { exports = {} } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const source = exports[['.', ...rest].join('/')]?.['cairn-src'];
  return source === undefined ? undefined : present(path.join(folder, source));
}

function present(file) {
  return existsSync(file) ? file : undefined;
}
