import fc from 'fast-check';
import { fuzzCases } from '../fuzz/generate.js';
import { HELPS, READS } from './cut-world.js';
import { runRandomCut } from './random-cut.js';
import type { RandomCut } from './random-cut.js';

/** Maximum number of smaller cases to try after a failure. */
const SHRINKS = 400;

/** Result of a number of random cuts. */
interface CutFuzzReport {
  readonly runs: number;
  /** The smallest failing case as a test to paste. Undefined if all succeeded. */
  readonly failure: string | undefined;
}

const randomCuts: fc.Arbitrary<RandomCut> = fc.record({
  wanted: fuzzCases().filter(({ operations }) => operations.at(-1)?.preview === false),
  help: fc.constantFrom(...HELPS),
  reads: fc.constantFrom(...READS),
  at: fc.array(fc.nat(999), { maxLength: 2 }),
  how: fc.constantFrom('resume' as const, 'rollback' as const),
});

/** Selection of random cuts. */
interface CutFuzz {
  readonly seed: number;
  readonly runs: number;
  /** True if stopped operations isolate their failures. */
  readonly isolate?: RandomCut['isolate'];
}

/**
 * Stops random operations of one seed at random instants and shrinks the first failing case. The same seed results in
 * the same cases.
 */
export async function fuzzCuts({ seed, runs, isolate }: CutFuzz): Promise<CutFuzzReport> {
  const isolated = (cut: RandomCut): RandomCut => (isolate === undefined ? cut : { ...cut, isolate });
  let attempts: number | undefined;
  const property = fc.asyncProperty(randomCuts.map(isolated), async (cut) => {
    if (attempts !== undefined && (attempts += 1) > SHRINKS) return;
    const fault = await runRandomCut(cut);
    if (fault === undefined) return;
    attempts ??= 0;
    throw new Error(fault);
  });
  const { counterexample, numRuns } = await fc.check(property, { seed, numRuns: runs });
  const [found] = counterexample ?? [];
  if (found === undefined) return { runs: numRuns, failure: undefined };
  return {
    runs: numRuns,
    failure: testOf(found, (await runRandomCut(found)) ?? 'it was well when it ran again'),
  };
}

/** Returns a failing case as a test. */
function testOf(cut: RandomCut, fault: string): string {
  return [
    `test(${JSON.stringify(fault.slice(0, 200))}, async () => {`,
    `  const cut = ${JSON.stringify(cut)} as unknown as RandomCut;`,
    '  expect(await runRandomCut(cut)).toBeUndefined();',
    '});',
  ].join('\n');
}
