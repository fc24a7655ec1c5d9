#!/usr/bin/env node
/**
 * Feeds damaged and hostile files to every reader: `npm run fuzz:files -- --seed S --runs N`. Without a seed it takes
 * one and prints it; the same seed gives the same files. Faults are shrunk and printed.
 */
import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { toolOptions } from './tool-options.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { number } = toolOptions(import.meta.url, {
  options: { seed: { type: 'string' }, runs: { type: 'string' } },
});
const seed = number('seed') ?? Math.floor(Math.random() * 2 ** 31);
const runs = number('runs') ?? 10_000;
console.log(`fuzz:files: seed ${seed}, ${runs} files`);

// Inside the command's package, so that the packages that it uses are found from there.
const directory = await mkdtemp(join(root, 'packages', 'edges', 'cli', 'node_modules', '.fuzz-files-'));
try {
  const outfile = join(directory, 'hostile.mjs');
  await build({
    stdin: {
      contents: `export * from './e2e/hostile/run.ts'; export * from './e2e/hostile/targets.ts';`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['cairn-src'],
    plugins: [
      {
        // The workspace's packages go in, straight from their sources; everything else stays outside.
        name: 'npm-packages-stay-outside',
        setup(context) {
          context.onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path.startsWith('@cairn/') ? undefined : { path, external: true },
          );
        },
      },
    ],
    logLevel: 'warning',
  });
  const { TEXTS, homeTargets, storeTargets, readHostileFiles, readMutations } = await import(
    pathToFileURL(outfile).href
  );
  const targets = [...TEXTS, ...homeTargets(join(directory, 'home')), ...(await storeTargets())];
  const whole = await readHostileFiles(targets);
  const random = await readMutations(targets, seed, runs);
  const faults = [...whole.faults, ...random.faults];
  for (const { target, what, problem, bytes } of faults) {
    console.log(
      `\n${target}, ${what}: ${problem}\n${JSON.stringify(bytes.subarray(0, 400).toString('latin1'))}`,
    );
  }
  const read = whole.read + random.read;
  const refused = whole.refused + random.refused;
  console.log(`fuzz:files: ${read} read, ${refused} refused, ${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
