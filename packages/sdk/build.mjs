// Bundles the SDK: a program waits for it at every start, and one file loads faster than many. What the entries share
// is split off, so that runner and program work with one copy. Declarations are made apart.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { removeCode } from '../../tools/dist.mjs';

const entryPoints = {
  index: 'src/index.ts',
  run: 'src/run.ts',
  'runtime/index': 'src/runtime/index.ts',
  'packages/index': 'src/packages/index.ts',
  'testing/index': 'src/testing/index.ts',
  'policy/index': 'src/policy/index.ts',
  'policy/run': 'src/policy/run.ts',
  'dynamic/plugin': 'src/dynamic/served/main.ts',
};

/** What is loaded beside the index, or does not mind it: not policy packs, which need less. */
const besideTheIndex = ['run', 'runtime/index', 'packages/index', 'testing/index', 'dynamic/plugin'];

/**
 * esbuild makes a file for each set of entries that reach the same modules. With these entries importing the index, all
 * that it needs is reached by the same set: few files instead of a dozen.
 */
const importTheIndex = {
  name: 'import-the-index',
  setup({ onLoad }) {
    const index = path.resolve(entryPoints.index);
    const files = new Set(besideTheIndex.map((entry) => path.resolve(entryPoints[entry])));
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      if (!files.has(file)) return undefined;
      return {
        contents: `${await readFile(file, 'utf8')}\nimport ${JSON.stringify(index)};\n`,
        loader: 'ts',
      };
    });
  },
};

removeCode('dist');
await build({
  entryPoints,
  plugins: [importTheIndex],
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
