// Bundles the package: the workspace's own packages go into it, npm packages and the SDK stay dependencies. What runs
// operations is split off, so that importing costs little. Declarations are made by tsc and name no package inside.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

// Modules that programs are started with: found beside the bundle under the names they have in their package.
const loader = '../language-node/src/loader';

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: {
    index: 'src/index.ts',
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
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [
    {
      name: 'npm-packages-and-sdk-stay-outside',
      setup(context) {
        context.onResolve({ filter: /^[^./]/ }, (args) => {
          if (args.kind === 'entry-point') return undefined;
          const own = args.path.startsWith('@cairn/') && !args.path.startsWith('@cairn/sdk');
          return own ? undefined : { path: args.path, external: true };
        });
      },
    },
  ],
});
