// Bundles the SDK: a program waits for it at every start, and a few files load faster than many. What the entries share
// is split off, so that runner and program work with one copy. Declarations are made by tsc.
import { build } from 'esbuild';

await build({
  entryPoints: {
    index: 'src/index.ts',
    run: 'src/run.ts',
    'runtime/index': 'src/runtime/index.ts',
    'testing/index': 'src/testing/index.ts',
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
