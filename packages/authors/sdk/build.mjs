// Bundles the SDK twice: as modules, and as scripts for programs under Cairn's runner. Those programs load the SDK at
// every start (condition `cairn-program` of package.json). Declarations are built separately.
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { settings as shared } from '../../../tools/bundle.mjs';
import { removeCode } from '../../../tools/dist.mjs';
import { fromOwnModules } from '../../../tools/from-own-modules.mjs';
import { buildPacks } from '../../../tools/packs.mjs';

// The package contains all code twice, and half of it is generated. Names of functions and classes are kept.
const settings = { ...shared, minifyWhitespace: true };
const entryPoints = {
  index: 'src/index.ts',
  run: 'src/run.ts',
  'runtime/index': 'src/runtime/index.ts',
  'packages/index': 'src/packages/index.ts',
  'testing/index': 'src/testing/index.ts',
  'policy/index': 'src/policy/index.ts',
  'policy/run': 'src/policy/run.ts',
  // Serves dynamic providers. It imports this package, whose programs never load it.
  'dynamic/plugin': '../provider-sdk/src/dynamic/main.ts',
};

/** Entries loaded beside the index, or not slowed down by it. Policy packs are not among them: they need less. */
const besideTheIndex = ['run', 'runtime/index', 'packages/index', 'testing/index', 'dynamic/plugin'];

/**
 * Makes these entries import the index. esbuild makes a file for each set of entries that reach the same modules. With
 * the import, one set reaches all that the index needs, which gives a few files instead of a dozen.
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
await build({ ...settings, entryPoints, chunkNames: 'shared-[hash]', plugins: [importTheIndex] });

/** Entries that programs import, by name in `dist/packed`. */
const imported = {
  index: 'src/index.ts',
  runtime: 'src/runtime/index.ts',
  packages: 'src/packages/index.ts',
  testing: 'src/testing/index.ts',
  policy: 'src/policy/index.ts',
};
const { outputs } = await buildPacks({
  ...settings,
  entries: { ...imported, run: 'src/run.ts' },
  start: 'src/start.ts',
  groups: {
    program: [imported.index, 'src/run.ts', imported.runtime, imported.packages],
    testing: [imported.testing],
    policy: [imported.policy],
  },
  isOutside: () => false,
  plugins: [fromOwnModules(() => false)],
});
writeFileSync('dist/program.cjs', `require('./start.cjs').runProgram();\n`);
mkdirSync('dist/packed', { recursive: true });
for (const name of Object.keys(imported)) {
  const { exports } = outputs[`dist/${name}.js`];
  writeFileSync(
    `dist/packed/${name}.js`,
    [
      `import { createRequire } from 'node:module';`,
      `const { load } = createRequire(import.meta.url)('../start.cjs');`,
      `export const { ${exports.join(', ')} } = load('./${name}.js');\n`,
    ].join('\n'),
  );
}

// A file of its own, because its text becomes a part of stored modules.
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
