// Bundles the SDKs of the clouds inside published packages: one file a cloud with the used parts, loaded when a bucket
// or a key needs it. The SDKs find credentials with modules that they import on use; those are in the file as well.
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './setup.mjs';
import { inPackage } from './workspaces.mjs';

/** Modules through which the packages of the workspace use the SDK of a cloud, by the name of its file. */
const CLOUDS = {
  aws: ['blobs/src/s3/sdk.ts', 'crypters/src/cloud/sdk/aws.ts'],
  azure: ['blobs/src/azure/sdk.ts', 'crypters/src/cloud/sdk/azure.ts'],
  google: ['blobs/src/gcs/sdk.ts', 'crypters/src/cloud/sdk/google.ts'],
};

/** Files of the clouds, by the module of the workspace that each replaces. */
const FILES = new Map(
  Object.entries(CLOUDS).flatMap(([cloud, modules]) =>
    modules.map((module) => [sourceOf(module), `./clouds/${cloud}.cjs`]),
  ),
);

/** Writes `clouds/NAME.cjs` below a folder; returns esbuild's account of its contents. */
export async function bundleClouds(outdir) {
  const { metafile } = await build({
    entryPoints: Object.keys(CLOUDS).map((cloud) => ({ in: cloud, out: `clouds/${cloud}` })),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    // Their ES modules, from which unused parts can be left out.
    mainFields: ['module', 'main'],
    define: { 'import.meta.url': 'fileUrl' },
    banner: { js: "const fileUrl = require('node:url').pathToFileURL(__filename).href;" },
    minify: true,
    // Requests and errors carry the names of their classes.
    keepNames: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [{ name: 'clouds', setup: entries }],
  });
  return metafile;
}

/** Packages that are left empty: node-fetch needs `whatwg-url` where Node has no `URL`. */
const UNUSED = /^whatwg-url$/;

/** A cloud's entry exports the exports of all its modules; an export that two of them have is the same thing. */
function entries({ onResolve, onLoad }) {
  onResolve({ filter: UNUSED }, ({ path: name }) => ({ path: name, namespace: 'unused' }));
  onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: '' }));
  onResolve({ filter: /./ }, ({ kind, path: name }) =>
    kind === 'entry-point' ? { path: name, namespace: 'cloud' } : undefined,
  );
  onLoad({ filter: /./, namespace: 'cloud' }, async ({ path: cloud }) => {
    const names = await Promise.all(CLOUDS[cloud].map(exportsOf));
    const from = new Map(names.flat().map(({ name, module }) => [name, module]));
    const lines = [...from].map(([name, module]) => `export { ${name} } from ${JSON.stringify(module)};`);
    return { contents: lines.join('\n'), resolveDir: root };
  });
}

async function exportsOf(module) {
  const entry = sourceOf(module);
  const { metafile } = await build({ entryPoints: [entry], format: 'esm', write: false, metafile: true });
  return Object.values(metafile.outputs).flatMap(({ exports }) =>
    exports.map((name) => ({ name, module: entry })),
  );
}

/**
 * Plugin of a bundle that has the files of {@link bundleClouds} beside it, which its modules load. The chunks of the
 * bundle must be in the folder that has `clouds`.
 */
export const cloudsAreFiles = {
  name: 'clouds-are-files',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/sdk(\/\w+)?\.js$/ }, ({ path: name, resolveDir }) => {
      const file = FILES.get(path.resolve(resolveDir, name.replace(/js$/, 'ts')));
      return file === undefined ? undefined : { path: file, external: true };
    });
  },
};

function sourceOf(module) {
  return inPackage(module);
}
