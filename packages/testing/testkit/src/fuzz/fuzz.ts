import fc from 'fast-check';
import type { FuzzCase } from './fuzz-case.js';
import { exportedStack } from './exported-stack.js';
import { fuzzCases } from './generate.js';
import { runCase } from './run-case.js';
import type { CaseStart, Finding } from './run-case.js';
import { scenarioText } from './scenario-text.js';

/** Maximum number of smaller cases to try after a failure. */
const SHRINKS = 1000;

/** Result of a number of random cases. */
interface FuzzReport {
  readonly runs: number;
  /** The smallest failing case, its fault, and the case as a test to paste. Undefined if all succeeded. */
  readonly failure:
    { readonly found: FuzzCase; readonly finding: Finding; readonly text: string } | undefined;
}

/** Runs random cases of one seed and shrinks the first failing one. The same seed results in the same cases. */
export async function fuzz(
  options: { readonly seed: number; readonly runs: number } & CaseStart,
): Promise<FuzzReport> {
  const { seed, runs, ...start } = options;
  let attempts: number | undefined;
  const property = fc.asyncProperty(casesFor(start), async (wanted) => {
    if (attempts !== undefined && (attempts += 1) > SHRINKS) return;
    const found = await runCase(wanted, start);
    if (found === undefined) return;
    attempts ??= 0;
    throw new Error(found.fault);
  });
  const { counterexample, numRuns } = await fc.check(property, { seed, numRuns: runs });
  const [found] = counterexample ?? [];
  if (found === undefined) return { runs: numRuns, failure: undefined };
  const finding = (await runCase(found, start)) ?? { operation: 0, fault: 'it was well when it ran again' };
  return { runs: numRuns, failure: { found, finding, text: scenarioText(found, finding) } };
}

/** Returns random cases of one seed. */
export function sampleCases(seed: number, count: number): readonly FuzzCase[] {
  return fc.sample(fuzzCases(), { seed, numRuns: count });
}

function casesFor({ snapshot }: CaseStart): fc.Arbitrary<FuzzCase> {
  return fuzzCases(snapshot === undefined ? undefined : exportedStack(snapshot).program);
}
