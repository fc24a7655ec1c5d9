// node tools/bench/huge-state.mjs [--count 1000000] [--most 6] Commands on a state of about 1 kB a resource, in a
// directory: processor time, and memory above an empty command as times the file. Ends with 1 if a command fails,
// loses an entry, or needs more than --most times the file.
import {
  closeSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled } from '../setup.mjs';
import { largeCheckpoint } from './large-state.mjs';
import { measure } from './measure.mjs';
import { cairn } from './project.mjs';
import { toolOptions } from '../tool-options.mjs';

const { number } = toolOptions(import.meta.url, {
  options: {
    count: { type: 'string', default: '1000000' },
    most: { type: 'string', default: '6' },
  },
});
const count = number('count');
const PIECE = 1_000_000;
const FIRST = 'urn:pulumi:big::bench::cloud:storage/bucket:Bucket::bucket-000000';

ensureInstalled();
ensureBuilt();
const work = mkdtempSync(path.join(tmpdir(), 'cairn-huge-'));
try {
  const failures = await commands();
  for (const failure of failures) console.error(failure);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function commands() {
  const state = path.join(work, 'state');
  mkdirSync(state);
  writeFileSync(path.join(work, 'Cairn.yaml'), 'name: bench\nruntime: nodejs\n');
  const env = {
    ...process.env,
    CI: 'true',
    CAIRN_HOME: path.join(work, 'home'),
    CAIRN_BACKEND_URL: pathToFileURL(state).href,
    CAIRN_CONFIG_PASSPHRASE: 'bench',
    NODE_OPTIONS: '--max-old-space-size=8192',
  };
  const run = (words) => measure(process.execPath, [cairn, ...words], { cwd: work, env });
  await run(['stack', 'init', 'big']);
  const checkpoint = path.join(state, '.pulumi', 'stacks', 'bench', 'big.json');
  writePieces(checkpoint);
  const size = statSync(checkpoint).size / 2 ** 20;
  console.log(`${count} resources, ${size.toFixed(0)} MiB`);
  const empty = await run(['version']);
  const failures = [];
  const exported = path.join(work, 'exported.json');
  for (const words of [
    ['state', 'protect', FIRST, '--yes', '--stack', 'big'],
    ['stack', 'output', '--stack', 'big'],
    ['stack', 'export', '--stack', 'big', '--file', exported],
  ]) {
    const { cpuSeconds, peakMb } = await run(words);
    const name = words.slice(0, 2).join(' ');
    const times = (peakMb - empty.peakMb) / size;
    console.log(
      `${name}: ${cpuSeconds.toFixed(1)} s of processor time, ${peakMb.toFixed(0)} MiB, ${times.toFixed(2)} times`,
    );
    if (times > number('most'))
      failures.push(`${name} needs ${times.toFixed(2)} times the memory of the file`);
  }
  const entries = await occurrences(exported, '"urn":');
  if (entries !== count) failures.push(`stack export has ${entries} of ${count} entries`);
  return failures;
}

/** Writes the checkpoint. No text has the whole of it. */
function writePieces(file) {
  const descriptor = openSync(file, 'w');
  let text = '';
  for (const piece of largeCheckpoint(count)) {
    text += piece;
    if (text.length < PIECE) continue;
    writeSync(descriptor, text);
    text = '';
  }
  writeSync(descriptor, text);
  closeSync(descriptor);
}

/** Counts a text in a file, also where it is in two chunks. */
async function occurrences(file, searched) {
  let found = 0;
  let rest = '';
  for await (const chunk of createReadStream(file, 'latin1')) {
    const parts = (rest + chunk).split(searched);
    found += parts.length - 1;
    rest = parts.at(-1).slice(1 - searched.length);
  }
  return found;
}
