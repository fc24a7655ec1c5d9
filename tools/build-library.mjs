// Builds the code of a package that is a library, in a folder or here: each module of `src` becomes a module of `dist`.
// Packages of others that package.json does not name as dependencies are inside, in files that all modules share.
import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { removeCode, writeModules } from './dist.mjs';
import { importsOnUse } from './imports-on-use.mjs';
import { writeNotices } from './notices.mjs';
import { root } from './setup.mjs';

/** Builds the package in a folder. */
export async function buildLibrary(folder) {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const declared = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
  const isDependency = (name) => declared.has(packageOf(name));
  const src = path.join(folder, 'src');
  const dist = path.join(folder, 'dist');
  removeCode(dist);
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: modulesIn(src),
    outbase: src,
    outdir: dist,
    chunkNames: 'inside/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
    plugins: [importsOnUse(isDependency), insideIsUndeclared(isDependency)],
  });
  const [foreign, own] = [true, false].map((wanted) =>
    outputFiles.filter((each) => isForeign(dist, each.path) === wanted),
  );
  const code = foreign.filter(({ path: file }) => !file.endsWith('.map'));
  writeModules([...own, ...(await Promise.all(code.map(withoutSpace)))]);
  writeNotices(dist, [metafile], root);
}

/** Code that others or programs have written: it needs no source maps, and no space. */
function isForeign(dist, file) {
  return /^(inside|.*generated)[\\/]/.test(path.relative(dist, file));
}

/** Packages that are published with short names, too: nothing in them depends on names of functions. */
const SHORT_NAMES = /^openpgp-/;
/** Packages that read the names of their own classes: other names become short, those of classes stay as properties. */
const KEPT_NAMES = /^x509\.es-/;

async function withoutSpace({ path: file, text }) {
  const name = path.basename(file);
  const keepNames = KEPT_NAMES.test(name);
  const minifyIdentifiers = keepNames || SHORT_NAMES.test(name);
  const settings = {
    ...{ minifySyntax: true, minifyWhitespace: true, minifyIdentifiers, keepNames },
    target: 'node20.19',
  };
  const { code } = await transform(text, settings);
  return { path: file, text: code.replace(/\/\/# sourceMappingURL=.*\s*$/, '') };
}

function modulesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.d)\.ts$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${path.sep}testdata${path.sep}`));
}

/** Keeps imports of modules of the package, of its dependencies and of Node as they are. */
function insideIsUndeclared(isDependency) {
  return {
    name: 'inside-is-undeclared',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ kind, importer, path: name }) => {
        if (kind === 'entry-point' || importer.includes(`${path.sep}node_modules${path.sep}`))
          return undefined;
        const isInside = !name.startsWith('.') && !isBuiltin(name) && !isDependency(name);
        return isInside ? undefined : { path: name, external: true };
      });
    },
  };
}

function packageOf(name) {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildLibrary(process.cwd());
