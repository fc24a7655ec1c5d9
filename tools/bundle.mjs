// How packages that run commands are bundled: the workspace's own packages and the SDKs of clouds go in, other npm
// packages stay dependencies.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { bundleClouds, cloudsAreFiles } from './bundle-clouds.mjs';
import { writeNotices } from './notices.mjs';

/** Modules that programs are started with: found beside the bundle under the names they have in their package. */
const loader = '../language-node/src/loader';
const LOADER = {
  'loader/register': `${loader}/register.ts`,
  'loader/esm-hooks': `${loader}/esm-hooks.ts`,
  'loader/typecheck': `${loader}/typecheck.ts`,
};

/**
 * Bundles the package in the working directory into `dist`. `entryPoints`: name to source. `isDependency`: whether a
 * package of this workspace stays a dependency too. `sourcemap`: maps without the sources.
 */
export async function bundle({ entryPoints, isDependency, sourcemap = false }) {
  rmSync('dist', { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: { ...entryPoints, ...LOADER },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['cairn-src'],
    ...(sourcemap ? { sourcemap, sourcesContent: false } : {}),
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [cloudsAreFiles, dependenciesStayOutside(isDependency)],
  });
  writeNotices('dist', [metafile, await bundleClouds('dist')]);
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
