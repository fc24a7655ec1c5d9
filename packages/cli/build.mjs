// Bundles the command line: the workspace's own packages go into it, npm packages stay dependencies. One entry a
// process that is started by path; commands are split off, so that starting costs what the chosen command needs.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

// Modules that programs are started with: found beside the bundle under the names they have in their package.
const loader = '../language-node/src/loader';

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: {
    main: 'src/main.ts',
    'loader/register': `${loader}/register.ts`,
    'loader/esm-hooks': `${loader}/esm-hooks.ts`,
    'loader/typecheck': `${loader}/typecheck.ts`,
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  conditions: ['cairn-src'],
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [
    {
      // Everything from npm stays outside; the workspace's packages go in, except those a program or a test imports
      // itself.
      name: 'npm-packages-stay-outside',
      setup(context) {
        context.onResolve({ filter: /^[^./]/ }, (args) => {
          if (args.kind === 'entry-point') return undefined;
          const isPlugin = args.path.startsWith('@cairn/provider-') || args.path === '@cairn/tf-bridge';
          const own = args.path.startsWith('@cairn/') && !isPlugin;
          return own ? undefined : { path: args.path, external: true };
        });
      },
    },
  ],
});
