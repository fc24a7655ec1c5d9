import type { Resolution } from './resolution.js';

/** Key of an output's source. Identifies outputs of any copy of this package. */
export const SOURCE = Symbol.for('cairn.sdk.output');

/** Resolution of an output, or a promise of it. */
export type Source = Resolution | Promise<Resolution>;

/** Interface of every output. Named as the type that programs write, so that editors show that name. */
export interface Output<T> {
  /**
   * Returns an output derived from this one by a function of its value. The function is not called while the value is
   * unknown (preview). An output that it returns is flattened. Secretness and dependencies carry over.
   */
  apply<U>(func: (value: T) => U | Promise<U> | Output<U>): AppliedValue<U>['output'];
  readonly [SOURCE]: Source;
}

/** Result of `apply`. The type of the output is added where that type is defined. */
export interface AppliedValue<U> {
  readonly value: U;
}
