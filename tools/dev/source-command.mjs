// The command, bundled from the present sources of all packages: fast to make, slower to start than a built one.
import path from 'node:path';
import { context } from 'esbuild';
import { LOADER, settings } from '../bundle.mjs';
import { packageFolder } from '../workspaces.mjs';

const cli = packageFolder('cli');

/** The bundle's main module. It is in the package of the command, whose templates and version it looks up. */
export const sourceMain = path.join(cli, 'dist-dev', 'main.js');

/**
 * Returns the context that makes the bundle: `rebuild()` once, or `watch()`. Packages of npm stay in `node_modules`.
 */
export function sourceCommand(plugins = []) {
  return context({
    ...settings,
    absWorkingDir: cli,
    entryPoints: { main: 'src/main.ts', ...LOADER },
    outdir: path.dirname(sourceMain),
    sourcemap: true,
    plugins: [npmPackagesOutside, ...plugins],
  });
}

const npmPackagesOutside = {
  name: 'npm-packages-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path: name }) =>
      kind === 'entry-point' || name.startsWith('@cairn/') ? undefined : { path: name, external: true },
    );
  },
};
