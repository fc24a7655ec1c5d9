import { isCairnError } from '@cairn/diagnostics';
import { HOSTILE_FILES, mutated } from './mutations.js';
import { randomFrom } from '../support/random.js';
import type { Target } from './targets.js';

/** A file that something else happened to than being read or refused. */
export interface Fault {
  readonly target: string;
  readonly what: string;
  readonly problem: string;
  readonly bytes: Buffer;
}

/** Counts of files by result. `refused`: with an error that a user can read. */
export interface Tally {
  readonly read: number;
  readonly refused: number;
  readonly faults: readonly Fault[];
}

/** Reads `runs` altered examples, spread over the targets; the same seed gives the same files. */
export async function readMutations(targets: readonly Target[], seed: number, runs: number): Promise<Tally> {
  const random = randomFrom(seed);
  const tally = { read: 0, refused: 0, faults: [] as Fault[] };
  for (let run = 0; run < runs && tally.faults.length < 5; run++) {
    const target = targets[run % targets.length] as Target;
    const bytes = mutated(random.pick(target.examples), random);
    await readOne(target, `run ${run}`, bytes, tally);
  }
  return tally;
}

/** Reads every whole file that means ill, as every kind of file. */
export async function readHostileFiles(targets: readonly Target[]): Promise<Tally> {
  const tally = { read: 0, refused: 0, faults: [] as Fault[] };
  for (const target of targets) {
    for (const [name, content] of Object.entries(HOSTILE_FILES))
      await readOne(target, name, Buffer.from(content), tally);
  }
  return tally;
}

async function readOne(
  target: Target,
  what: string,
  bytes: Buffer,
  tally: { read: number; refused: number; faults: Fault[] },
): Promise<void> {
  if (process.env['HOSTILE_TRACE'] !== undefined) process.stderr.write(`${target.name}: ${what}\n`);
  const problem = await problemOf(target, bytes);
  if (problem === 'read') tally.read += 1;
  else if (problem === 'refused') tally.refused += 1;
  else
    tally.faults.push({ target: target.name, what, problem, bytes: await smallest(target, bytes, problem) });
}

async function problemOf(target: Target, bytes: Uint8Array): Promise<string> {
  let outcome: string;
  try {
    await target.read(bytes);
    outcome = 'read';
  } catch (error) {
    if (isCairnError(error))
      outcome =
        error.diagnostics[0]?.code === 'CAIRN-INTERNAL' ? `internal error: ${error.message}` : 'refused';
    else
      outcome =
        error instanceof Error
          ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ')
          : String(error);
  }
  const polluted = Object.keys(Object.prototype);
  for (const key of polluted) delete (Object.prototype as unknown as Record<string, unknown>)[key];
  return polluted.length > 0 ? `every object has got ${polluted.join(', ')}` : outcome;
}

/** Returns the file without the parts that the fault does not need, as far as a few hundred tries lead. */
async function smallest(target: Target, bytes: Buffer, problem: string): Promise<Buffer> {
  let small = bytes;
  const same = (found: string): boolean => found.slice(0, 40) === problem.slice(0, 40);
  for (
    let size = Math.floor(small.length / 2), tries = 0;
    size > 0 && tries < 400;
    size = Math.floor(size / 2)
  ) {
    for (let from = 0; from < small.length && tries < 400; tries++) {
      const shorter = Buffer.concat([small.subarray(0, from), small.subarray(from + size)]);
      if (same(await problemOf(target, shorter))) small = shorter;
      else from += size;
    }
  }
  return small;
}
