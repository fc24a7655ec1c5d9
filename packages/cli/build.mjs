// Bundles the command line: the workspace's own packages go into it, npm packages stay dependencies. One entry a process
// that is started by path; commands are split off, so that starting costs what the chosen command needs.
import { existsSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const processEntries = {
  register: '../language-node/src/register.ts',
  guardian: '../processes/src/guardian.ts',
};

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: {
    main: 'src/main.ts',
    ...Object.fromEntries(Object.entries(processEntries).filter(([, file]) => existsSync(file))),
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
      // Everything from npm stays outside; the workspace's packages go in, except those a program or a test imports itself.
      name: 'npm-packages-stay-outside',
      setup(context) {
        context.onResolve({ filter: /^[^./]/ }, (args) => {
          if (args.kind === 'entry-point') return undefined;
          const own = args.path.startsWith('@cairn/') && !args.path.startsWith('@cairn/provider-');
          return own ? undefined : { path: args.path, external: true };
        });
      },
    },
  ],
});
