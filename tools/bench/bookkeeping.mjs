// node tools/bench/bookkeeping.mjs [--resources 1000] [--runs 7]
// Cost of the records of tasks: a first up of the whole command with its change on disk, and the same one with a
// command that keeps the change in memory only. The two take turns; quote the ratio, not the times.
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, root } from '../setup.mjs';
import { measure, median } from './measure.mjs';
import { cairnProgram } from './programs.mjs';
import { toolOptions } from '../tool-options.mjs';

const { number } = toolOptions(import.meta.url, {
  options: {
    resources: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '7' },
  },
});
const resources = number('resources');
const runs = number('runs');
const cli = path.join(root, 'packages', 'edges', 'cli');

/** Keeps the records of a change in memory only. */
const inMemory = {
  name: 'records-in-memory',
  setup(context) {
    let replaced = false;
    context.onLoad(
      { filter: /[\\/]operations[\\/]src[\\/]operation[\\/]sealing-store\.ts$/ },
      ({ path: file }) => {
        replaced = true;
        return {
          contents: `import { memoryStore } from '@cairn/changes'; export const sealingStore = () => memoryStore();`,
          loader: 'ts',
          resolveDir: path.dirname(file),
        };
      },
    );
    context.onEnd(() => {
      if (!replaced) throw new Error('the command has no sealing store to replace');
    });
  },
};

ensureInstalled();
ensureBuilt();
const work = mkdtempSync(path.join(root, 'e2e', '.bench-'));
const commands = mkdtempSync(path.join(cli, '.bench-'));
try {
  const starts = { disk: await command('disk', []), memory: await command('memory', [inMemory]) };
  const results = { disk: [], memory: [] };
  for (let run = -1; run < runs; run += 1) {
    const order = run % 2 === 0 ? ['disk', 'memory'] : ['memory', 'disk'];
    for (const store of order) {
      const result = await firstUp(starts[store], `${store}-${run}`);
      // The first round only warms up.
      if (run >= 0) results[store].push(result);
    }
  }
  print(results);
} finally {
  rmSync(work, { recursive: true, force: true });
  rmSync(commands, { recursive: true, force: true });
}

/** Bundles the command as its package does, with the given differences. */
async function command(name, plugins) {
  const outdir = path.join(commands, name);
  const loader = path.join(root, 'packages', 'machines', 'language-node', 'src', 'loader');
  await build({
    absWorkingDir: cli,
    entryPoints: {
      main: 'src/main.ts',
      'loader/register': path.join(loader, 'register.ts'),
      'loader/esm-hooks': path.join(loader, 'esm-hooks.ts'),
    },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['cairn-src'],
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [
      ...plugins,
      {
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
  const start = path.join(outdir, 'start.mjs');
  writeFileSync(start, `import { runProcess } from './main.js';\nrunProcess();\n`);
  return start;
}

async function firstUp(start, name) {
  const directory = path.join(work, name);
  const state = path.join(directory, '.state');
  mkdirSync(path.join(directory, 'node_modules'), { recursive: true });
  mkdirSync(state);
  writeFileSync(path.join(directory, 'Cairn.yaml'), 'name: bench\nruntime: nodejs\nmain: index.ts\n');
  writeFileSync(
    path.join(directory, 'package.json'),
    JSON.stringify({
      name: 'bench',
      private: true,
      type: 'module',
      dependencies: { '@cairn/sdk': '*', 'cairn-bench-provider': '*' },
    }),
  );
  writeFileSync(path.join(directory, 'index.ts'), cairnProgram);
  symlinkSync(
    path.join(root, 'tools', 'bench', 'provider'),
    path.join(directory, 'node_modules', 'cairn-bench-provider'),
  );
  const env = {
    ...process.env,
    CI: 'true',
    NO_COLOR: '1',
    BENCH_N: String(resources),
    CAIRN_HOME: path.join(directory, '.home'),
    CAIRN_BACKEND_URL: pathToFileURL(state).href,
    CAIRN_CONFIG_PASSPHRASE: 'bench',
  };
  const go = (words) =>
    measure(process.execPath, [start, ...words, '--cwd', directory], { cwd: directory, env });
  await go(['stack', 'init', 'dev']);
  const result = await go(['up', '--yes', '--skip-preview', '--parallel', '64']);
  rmSync(directory, { recursive: true, force: true });
  return result;
}

function print({ disk, memory }) {
  const row = (name, list) => {
    const wall = list.map((one) => one.seconds);
    const cpu = list.map((one) => one.cpuSeconds);
    return [name, median(wall), Math.min(...wall), Math.max(...wall), median(cpu), Math.min(...cpu)];
  };
  const rows = [row('change on disk', disk), row('change in memory', memory)];
  console.log(`first up of ${resources} resources, medians of ${runs} runs each, in turns\n`);
  console.log(
    '| change | s | range s | processor s, all its processes | least |\n| --- | --- | --- | --- | --- |',
  );
  for (const [name, ...cells] of rows) {
    const [middle, least, most, cpu, leastCpu] = cells.map((cell) => cell.toFixed(2));
    console.log(`| ${name} | ${middle} | ${least} to ${most} | ${cpu} | ${leastCpu} |`);
  }
  const more = (at) => `${((rows[0][at] / rows[1][at] - 1) * 100).toFixed(1)} %`;
  console.log(
    `\nrecords cost, of the run without them (aim: at most 15 %): ${more(1)} by the clock, ${more(4)} of the processor`,
  );
  console.log(`of the quickest runs: ${more(2)} by the clock, ${more(5)} of the processor`);
}
