import { cairnError } from '@cairn/diagnostics';
import type { Texts } from '../flags/flag-spec.js';

/** Returns the number of plugins installed at once, from `--parallel`. 0 and less mean all of them. */
export function parallelOf(flags: Texts<'parallel'>): number {
  const text = flags.parallel ?? '4';
  if (/^-?\d{1,6}$/.test(text)) return Number(text);
  throw cairnError('CAIRN-USAGE', `--parallel takes a whole number, not ${JSON.stringify(text)}`);
}
