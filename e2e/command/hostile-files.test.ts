import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readHostileFiles, readMutations } from '../hostile/run.js';
import type { Fault } from '../hostile/run.js';
import { TEXTS, homeTargets, storeTargets } from '../hostile/targets.js';
import type { Target } from '../hostile/targets.js';

const shown = (faults: readonly Fault[]) =>
  faults.map(({ target, what, problem, bytes }) => ({
    target,
    what,
    problem,
    bytes: bytes.subarray(0, 300).toString(),
  }));

describe('files that are damaged, or mean ill, are read or refused, and nothing else happens', () => {
  let directory: string;
  let targets: readonly Target[];
  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'cairn-hostile-'));
    targets = [...TEXTS, ...homeTargets(directory), ...(await storeTargets())];
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test('the examples themselves are read', async () => {
    const refused: string[] = [];
    for (const target of targets) {
      for (const example of target.examples)
        await target
          .read(example)
          .catch((error: unknown) => refused.push(`${target.name}: ${String(error)}`));
    }
    // The lock of another process prevents an answer to the last question.
    expect(refused.filter((text) => !text.includes('locked'))).toEqual([]);
  });

  test('whole files that mean ill', async () => {
    const { refused, faults } = await readHostileFiles(targets);
    expect(shown(faults)).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  });

  test('a sample of random damage; `npm run fuzz:files` reads more of it', async () => {
    const seed = 20_261;
    const { read, refused, faults } = await readMutations(targets, seed, 1_000);
    expect({ seed, faults: shown(faults) }).toEqual({ seed, faults: [] });
    expect(Math.min(read, refused)).toBeGreaterThan(0);
  });
});
