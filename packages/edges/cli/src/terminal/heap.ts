import { setFlagsFromString } from 'node:v8';

/** V8 versions whose flags are known. Others would print a warning on stderr about an unknown flag. */
const KNOWN = /^11\./;

/**
 * Lets the heap grow to twice its used size before it is collected, instead of up to four times: most of an operation's
 * allocations soon become garbage. Growth by half would save more memory, but cost a fifth more processor time
 * (docs/benchmarks.md). Must be called first. Unknown versions of V8 keep their default.
 */
export function growHeapSlowly(
  version: string = process.versions.v8,
  setFlag: (flag: string) => void = setFlagsFromString,
): void {
  if (KNOWN.test(version)) setFlag('--heap-growing-percent=100');
}
