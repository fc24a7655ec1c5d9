import { cairnError } from '@cairn/diagnostics';
import type { Flags } from '../command-spec.js';

/** Returns the number of plugins installed at once, from `--parallel`. 0 and less mean all of them. */
export function parallelOf(flags: Flags): number {
  const text = flags.text('parallel') ?? '4';
  if (/^-?\d{1,6}$/.test(text)) return Number(text);
  throw cairnError('CAIRN-USAGE', `--parallel takes a whole number, not ${JSON.stringify(text)}`);
}
