// `npm run peers:draw [-- --seed N] [--cases N] [--steps N] [--keep FOLDER]`: draws programs and operations by chance,
// runs them under the peer, which must be on PATH, and under ours, and compares states, calls, plans and exit codes. A
// case is compared up to its first failure: what had ended by then is a matter of time. --keep writes cases and
// answers into a folder. Ends with the counts as `N passed, N failed`.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { DIFFERENCES } from '../../e2e/peers/differences.mjs';
import { importBundled } from '../import-bundled.mjs';
import { ensureBuilt } from '../setup.mjs';
import { toolOptions } from '../tool-options.mjs';
import { differencesOf, judge } from './compare.mjs';
import { drawnCase } from './drawn-case.mjs';
import { comparable } from './drawn-facts.mjs';
import { recordText } from './record-text.mjs';
import { runCase } from './run-case.mjs';

const { values: flags, number } = toolOptions(import.meta.url, {
  options: {
    seed: { type: 'string' },
    cases: { type: 'string', default: '20' },
    steps: { type: 'string', default: '8' },
    keep: { type: 'string' },
  },
});
const first = number('seed') ?? Math.floor(Math.random() * 2 ** 31);
const LISTED = [
  ...DIFFERENCES.filter(({ cases }) => cases === undefined),
  {
    at: /^resources \/ .*::shop-dev \/ outputs \/ /,
    when: (peer) => peer === '<unknown>',
    why: 'an output of the stack that is not known keeps its stored value',
  },
];

ensureBuilt(['cli']);
const { randomFrom } = await importBundled('e2e/support/random.ts');
const { CommandServers } = await importBundled('e2e/support/command-server.ts');
const servers = new CommandServers(path.join(import.meta.dirname, '..', '..', 'e2e', 'support'));
const counts = { passed: 0, failed: 0 };
for (let seed = first; seed < first + number('cases'); seed++) {
  const differences = await differencesOfCase(seed);
  counts[differences.length === 0 ? 'passed' : 'failed'] += 1;
  for (const { step, at, peer, ours } of differences)
    process.stdout.write(
      `seed ${seed}, step ${step}: ${at}\n  peer: ${short(peer)}\n  ours: ${short(ours)}\n`,
    );
}
await servers.end();
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;

async function differencesOfCase(seed) {
  const one = drawnCase(`drawn-${seed}`, randomFrom(seed), number('steps'));
  const [peer, ours] = [await answers(one, 'peer'), await answers(one, 'ours', servers)];
  if (flags.keep !== undefined)
    writeFileSync(path.join(flags.keep, `${seed}.json`), recordText({ one, peer, ours }));
  const found = judge(differencesOf(...comparable(peer, ours)), LISTED, []).unlisted;
  return found.filter(({ step }) => step === found[0].step);
}

async function answers(one, ...side) {
  return JSON.parse(recordText(await runCase(one, ...side)));
}

function short(value) {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
