import { setFlagsFromString } from 'node:v8';

/** V8 versions whose flags are known; others would complain on stderr about one that they do not have. */
const KNOWN = /^11\./;

/**
 * Lets the heap grow to twice of what is in use before it is collected, in place of up to four times: most of what an
 * operation allocates is garbage soon. Half as much again saves more memory, and costs a fifth more processor time
 * (docs/benchmarks.md). Called first thing. Versions of V8 that are not known keep their own way.
 */
export function growHeapSlowly(
  version: string = process.versions.v8,
  setFlag: (flag: string) => void = setFlagsFromString,
): void {
  if (KNOWN.test(version)) setFlag('--heap-growing-percent=100');
}
