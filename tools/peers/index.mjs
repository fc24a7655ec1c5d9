// `npm run peers [-- --record] [--case NAME]… [--keep FOLDER]`: compares our answers with the recorded ones of the
// peer; with --record asks the peer, which must be on PATH, and records its answers. --keep writes our answers into a
// folder. Ends with the counts as `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { importBundled } from '../import-bundled.mjs';
import { processors } from '../processors.mjs';
import { ensureBuilt } from '../setup.mjs';
import { differencesOf, judge } from './compare.mjs';
import { CASES } from './cases/index.mjs';
import { recordText } from './record-text.mjs';
import { runCase } from './run-case.mjs';
import { toolOptions } from '../tool-options.mjs';

const data = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'e2e', 'peers');
const { values: flags } = toolOptions(import.meta.url, {
  options: {
    record: { type: 'boolean' },
    case: { type: 'string', multiple: true },
    keep: { type: 'string' },
    jobs: { type: 'string', default: String(processors()) },
  },
});
const cases = CASES.filter(({ name }) => flags.case === undefined || flags.case.includes(name));
const fileOf = (name) => path.join(data, 'record', `${name}.json`);

if (flags.record) await record();
else await compare();

async function record() {
  const version = spawnSync('pulumi', ['version'], { encoding: 'utf8' });
  if (version.status !== 0) {
    process.stderr.write(
      'peers: no `pulumi` on PATH: its answers can only be recorded where it is installed\n',
    );
    process.exit(2);
  }
  mkdirSync(path.join(data, 'record'), { recursive: true });
  await each(async (one) => {
    writeFileSync(fileOf(one.name), recordText(await runCase(one, 'peer')));
    process.stdout.write(`recorded ${one.name}\n`);
  });
}

async function compare() {
  ensureBuilt(['cli']);
  const { DIFFERENCES } = await import('../../e2e/peers/differences.mjs');
  const found = [];
  await served(async (one, servers) => {
    if (!existsSync(fileOf(one.name))) throw new Error(`nothing is recorded of ${one.name}`);
    const peer = JSON.parse(readFileSync(fileOf(one.name), 'utf8'));
    const ours = JSON.parse(recordText(await runCase(one, 'ours', servers)));
    if (flags.keep !== undefined) writeFileSync(path.join(flags.keep, `${one.name}.json`), recordText(ours));
    found.push(...differencesOf(peer, ours));
  });
  const { unlisted, gone } = judge(
    found,
    DIFFERENCES,
    cases.map(({ name }) => name),
  );
  for (const { case: name, step, at, peer, ours } of unlisted)
    process.stdout.write(`${name}, step ${step}: ${at}\n  peer: ${short(peer)}\n  ours: ${short(ours)}\n`);
  const whole = flags.case === undefined;
  if (whole) for (const line of gone) process.stdout.write(`listed, but no longer so: ${line}\n`);
  const failed = new Set(unlisted.map((difference) => difference.case));
  const stale = whole ? gone.length : 0;
  process.stdout.write(`${cases.length - failed.size} passed, ${failed.size + stale} failed\n`);
  process.exitCode = failed.size + stale === 0 ? 0 : 1;
}

/** A few at a time, each with servers of its own that run its commands. */
async function served(work) {
  const { CommandServers } = await importBundled('e2e/support/command-server.ts');
  const all = [];
  await each(work, () => {
    const servers = new CommandServers(path.join(data, '..', 'support'));
    all.push(servers);
    return servers;
  });
  await Promise.all(all.map((servers) => servers.end()));
}

/** Runs a few at a time. `open`: makes what the cases of one worker share. */
async function each(work, open = () => undefined) {
  const waiting = [...cases];
  const worker = async () => {
    const shared = open();
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const { name } = one;
      await work(one, shared).catch((error) => {
        throw new Error(`${name}: ${error.stack}`);
      });
    }
  };
  await Promise.all(Array.from({ length: Number(flags.jobs) }, worker));
}

function short(value) {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
