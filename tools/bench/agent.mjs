// node tools/bench/agent.mjs [--resources 1000] [--stacks 24] [--rounds 3]
// Processor time of an agent with everything that it starts, less that of one with nothing to do, beside the commands
// that do the same: a look for drift beside `refresh --preview-only`, and first updates of many stacks of 20 resources
// beside as many `up` at once. Prints medians.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, root } from '../setup.mjs';
import { toolOptions } from '../tool-options.mjs';
import { measure, median } from './measure.mjs';
import { cairnProgram } from './programs.mjs';
import { makeProject } from './project.mjs';

const { number } = toolOptions(import.meta.url, {
  options: {
    resources: { type: 'string', default: '1000' },
    stacks: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '3' },
  },
});
const SMALL = 20;
const AT_ONCE = 24;
const YES = ['--yes', '--non-interactive'];

ensureInstalled();
ensureBuilt();
const work = mkdtempSync(path.join(root, 'e2e', '.bench-'));
try {
  const large = project('large', number('resources'), ['dev']);
  await cairn(large, ['stack', 'init', 'dev']);
  await cairn(large, ['up', ...YES, '--skip-preview', '--stack', 'dev']);
  const drifts = { command: [], agent: [] };
  for (let round = 0; round < number('rounds'); round += 1) {
    drifts.command.push(
      await cairn(large, ['refresh', '--preview-only', '--non-interactive', '--stack', 'dev']),
    );
    const idle = await once(large);
    await cairn(large, ['request', 'drift', '--stack', 'dev']);
    drifts.agent.push((await once(large)) - idle);
  }
  print(`look for drift of ${number('resources')} resources`, drifts);
  const runs = { command: [], skipped: [], agent: [] };
  for (let round = 0; round < number('rounds'); round += 1) {
    const names = Array.from({ length: number('stacks') }, (_, at) => `s${at}`);
    for (const [kind, more] of [
      ['command', []],
      ['skipped', ['--skip-preview']],
    ]) {
      const small = project(`${kind}-${round}`, SMALL, names);
      for (const name of names) await cairn(small, ['stack', 'init', name, '--no-select']);
      const up = (name) => cairn(small, ['up', ...YES, ...more, '--stack', name]);
      let spent = 0;
      for (let at = 0; at < names.length; at += AT_ONCE)
        spent += sum(await Promise.all(names.slice(at, at + AT_ONCE).map(up)));
      runs[kind].push(spent);
    }
    const asked = project(`agent-${round}`, SMALL, names);
    for (const name of names) await cairn(asked, ['stack', 'init', name, '--no-select']);
    const idle = await once(asked);
    for (const name of names) await cairn(asked, ['request', 'up', '--stack', name]);
    runs.agent.push((await once(asked)) - idle);
  }
  print(`first updates of ${number('stacks')} stacks of ${SMALL} resources`, runs);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Makes a project with an agent that applies everything. */
function project(name, resources, stacks) {
  const made = makeProject(work, name, cairnProgram, 'index.ts');
  const rules = '[{ kinds: [create, update, read], then: apply }]';
  const lines = stacks.map(
    (stack) => `- { stack: ${stack}, source: { directory: . }, policy: { rules: ${rules} } }`,
  );
  writeFileSync(
    path.join(made.directory, 'agent.yaml'),
    `state: agent-state\nplaces: ${AT_ONCE}\nenvironment: [CAIRN_CONFIG_PASSPHRASE, CAIRN_CODE_CACHE, BENCH_N]\nstacks:\n${lines.join('\n')}\n`,
  );
  return {
    ...made,
    env: { ...made.env, CAIRN_CODE_CACHE: path.join(work, 'code'), BENCH_N: String(resources) },
  };
}

/** Runs a command. Returns its processor time in seconds. */
async function cairn({ command, ...options }, words) {
  return (await measure(process.execPath, [command, ...words], options)).cpuSeconds;
}

/** Runs an agent until nothing is left to do. Returns the processor time of it and of all that it has started. */
function once(options) {
  return cairn(options, ['agent', '--once']);
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}

function print(what, { agent, ...others }) {
  const spent = median(agent);
  for (const [kind, seconds] of Object.entries(others)) {
    const other = median(seconds);
    const name = kind === 'skipped' ? 'up --skip-preview' : 'command';
    console.log(
      `${what}: agent ${spent.toFixed(2)} s, ${name} ${other.toFixed(2)} s, ratio ${(spent / other).toFixed(2)}`,
    );
  }
}
