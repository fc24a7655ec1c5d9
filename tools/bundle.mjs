// How packages that run commands are bundled. A library contains the workspace's own packages and the SDKs of clouds;
// the command contains all npm packages.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { bundleClouds, cloudsAreFiles } from './bundle-clouds.mjs';
import { writeNotices } from './notices.mjs';
import { buildPacks } from './packs.mjs';

/** Modules that programs are started with: found beside the bundle under the names they have in their package. */
const loader = '../language-node/src/loader';
const LOADER = {
  'loader/register': `${loader}/register.ts`,
  'loader/esm-hooks': `${loader}/esm-hooks.ts`,
  'loader/typecheck': `${loader}/typecheck.ts`,
};

/** Settings of esbuild that all bundles share. */
const settings = {
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  conditions: ['cairn-src'],
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/**
 * Bundles the library in the working directory into `dist`. `entryPoints`: name to source. `isDependency`: true for
 * packages of this workspace that stay dependencies too.
 */
export async function bundleLibrary({ entryPoints, isDependency }) {
  rmSync('dist', { recursive: true, force: true });
  const { metafile } = await build({
    ...settings,
    entryPoints: { ...entryPoints, ...LOADER },
    plugins: [cloudsAreFiles, dependenciesStayOutside(isDependency)],
  });
  writeNotices('dist', [metafile, await bundleClouds('dist')]);
}

/** Bundles the command in the working directory into `dist`, npm packages too; see packs.mjs for the options. */
export async function bundleCommand(options) {
  rmSync('dist', { recursive: true, force: true });
  const modules = await build({
    ...settings,
    entryPoints: LOADER,
    plugins: [dependenciesStayOutside(() => false)],
  });
  const packs = await buildPacks({ ...settings, ...options, plugins: [cloudsAreFiles] });
  writeNotices('dist', [modules.metafile, packs, await bundleClouds('dist')]);
}

function dependenciesStayOutside(isDependency) {
  return {
    name: 'dependencies-stay-outside',
    setup(context) {
      context.onResolve({ filter: /^[^./]/ }, ({ kind, path }) => {
        if (kind === 'entry-point') return undefined;
        const own = path.startsWith('@cairn/') && !isDependency(path);
        return own ? undefined : { path, external: true };
      });
    },
  };
}
