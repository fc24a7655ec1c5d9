// A fixed computation that measures the speed of a processor: budgets are compared by it, since machines differ. Run as
// a program it prints its processor seconds.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const file = fileURLToPath(import.meta.url);
const ROUNDS = 3;

/** Processor seconds of the computation while every slot is busy with it; the middle one of three times. */
export async function unitSeconds(slots) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const runs = Array.from({ length: slots }, () => promisify(execFile)(process.execPath, [file]));
    const seconds = (await Promise.all(runs)).map(({ stdout }) => Number(stdout));
    rounds.push(seconds.reduce((sum, each) => sum + each, 0) / slots);
  }
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}

/** Text, objects, regular expressions and hashes, much as tests of this repository have them. */
function compute() {
  let text = '';
  for (let round = 0; round < 30; round += 1) {
    const entries = Array.from({ length: 8000 }, (_, index) => [
      `name-${(index * 7919) % 8000}`,
      { index, text },
    ]);
    const json = JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
    const words = json.replace(/name-(\d+)/g, (_whole, digits) => `n${digits}`).match(/[a-z]+\d+/g) ?? [];
    text = createHash('sha256')
      .update(words.join())
      .update(JSON.stringify(JSON.parse(json)))
      .digest('hex');
  }
  return text;
}

if (process.argv[1] === file) {
  compute();
  const { user, system } = process.cpuUsage();
  console.log((user + system) / 1e6);
}
