// How packages that run commands are bundled: with the workspace's own packages, npm packages and the SDKs of clouds.
import path from 'node:path';
import { build } from 'esbuild';
import { bundleClouds, cloudsAreFiles } from './bundle-clouds.mjs';
import { removeCode, writeModules } from './dist.mjs';
import { fromOwnModules } from './from-own-modules.mjs';
import { importsOnUse } from './imports-on-use.mjs';
import { writeNotices } from './notices.mjs';
import { buildPacks, npmPackagesOnce, shorten } from './packs.mjs';
import { inPackage } from './workspaces.mjs';

/** Modules that start programs: found beside the bundle under the names they have in their package. */
const loader = inPackage('language-node/src/loader');
export const LOADER = {
  'loader/register': `${loader}/register.ts`,
  'loader/esm-hooks': `${loader}/esm-hooks.ts`,
  'loader/typecheck': `${loader}/typecheck.ts`,
  'loader/wait': `${loader}/wait.ts`,
};

/** Settings of esbuild that all bundles share. */
export const settings = {
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
 * Bundles the library in the working directory into `dist`. `entryPoints`: name to source. `isOutside` is true for
 * packages that stay dependencies.
 */
export async function bundleLibrary({ entryPoints, isOutside }) {
  removeCode('dist');
  const { metafile, outputFiles } = await build({
    ...settings,
    mainFields: ['module', 'main'],
    // Names of our own code stay: errors and stack traces show them.
    minifyWhitespace: true,
    minifySyntax: true,
    entryPoints: { ...entryPoints, ...LOADER },
    write: false,
    plugins: [cloudsAreFiles, importsOnUse(isOutside), npmPackagesOnce(isOutside)],
  });
  const texts = new Map(outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
  await shorten(texts, metafile);
  writeModules(outputFiles.map(({ path: file }) => ({ path: file, text: texts.get(path.basename(file)) })));
  writeNotices('dist', [metafile, await bundleClouds('dist')]);
}

/** Bundles the command in the working directory into `dist`, npm packages too; see packs.mjs for the options. */
export async function bundleCommand(options) {
  removeCode('dist');
  const modules = await build({
    ...settings,
    entryPoints: LOADER,
    plugins: [npmPackagesOnce((name) => !name.startsWith('@cairn/'))],
  });
  const packs = await buildPacks({
    ...settings,
    ...options,
    sourcemap: true,
    plugins: [cloudsAreFiles, fromOwnModules(options.isOutside)],
  });
  writeNotices('dist', [modules.metafile, packs, await bundleClouds('dist')]);
}
