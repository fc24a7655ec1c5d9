import type { OutputHandle } from './output.js';
import type { Resolution } from './resolution.js';

/** Where an output keeps what it is or will be; also what tells outputs of any copy of this package. */
export const SOURCE = Symbol.for('cairn.sdk.output');

/** What an output is, or will be. */
export type Source = Resolution | Promise<Resolution>;

/** Whether a value is an output, of any copy of this package. */
export function isOutput(value: unknown): value is OutputHandle<unknown> {
  return typeof value === 'object' && value !== null && SOURCE in value;
}

/** What an output is, or will be. */
export function sourceOf(output: OutputHandle<unknown>): Source {
  return output[SOURCE];
}

/** Whether one has to wait. */
export function isPending(source: Source): source is Promise<Resolution> {
  return 'then' in source;
}

/** Whether a value is a promise of any realm. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
