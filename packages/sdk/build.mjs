// Bundles the SDK: a program waits for it at every start, and a few files load faster than many. What the entries share
// is split off, so that runner and program work with one copy. Declarations are made by tsc.
import { build } from 'esbuild';

await build({
  entryPoints: {
    index: 'src/index.ts',
    run: 'src/run.ts',
    'runtime/index': 'src/runtime/index.ts',
    'packages/index': 'src/packages/index.ts',
    'testing/index': 'src/testing/index.ts',
    'policy/index': 'src/policy/index.ts',
    'policy/run': 'src/policy/run.ts',
    'dynamic/plugin': 'src/dynamic/served/main.ts',
  },
  outdir: 'dist',
  chunkNames: 'shared-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  conditions: ['cairn-src'],
  legalComments: 'none',
  logLevel: 'warning',
});

// One file by itself: its text becomes a part of what programs store.
await build({
  entryPoints: ['src/dynamic/stand-in.ts'],
  outfile: 'dist/dynamic/stand-in.cjs',
  footer: { js: 'module.exports = module.exports.standIn;' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  logLevel: 'warning',
});
