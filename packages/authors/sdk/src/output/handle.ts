import type { Resolution } from './resolution.js';

/** Where an output keeps what it is or will be; also what tells outputs of any copy of this package. */
export const SOURCE = Symbol.for('cairn.sdk.output');

/** What an output is, or will be. */
export type Source = Resolution | Promise<Resolution>;

/** What every output offers. Named as the type that programs write, so that editors show that name. */
export interface Output<T> {
  /**
   * An output made from this one by a function of its value. The function is not called while the value is not known
   * (preview) and its own output, if it returns one, is flattened. Secretness and dependencies carry over.
   */
  apply<U>(func: (value: T) => U | Promise<U> | Output<U>): Applied<U>['output'];
  readonly [SOURCE]: Source;
}

/** What becomes of a value by `apply`; the type of the output is added where that type is made. */
export interface Applied<U> {
  readonly value: U;
}
