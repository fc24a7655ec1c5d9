import type { Resolution } from './resolution.js';

/** Where an output keeps what it is or will be; also what tells outputs of any copy of this package. */
export const SOURCE = Symbol.for('cairn.sdk.output');

/** What an output is, or will be. */
export type Source = Resolution | Promise<Resolution>;

/** A value, or something that will be one. What resources take as inputs. */
export type Input<T> = T | Promise<T> | Output<T>;

/** The value inside outputs and promises, at every depth. */
export type Unwrap<T> =
  T extends Promise<infer U>
    ? Unwrap<U>
    : T extends OutputHandle<infer U>
      ? Unwrap<U>
      : T extends string | number | boolean | bigint | symbol | null | undefined
        ? T
        : T extends (...args: never[]) => unknown
          ? T
          : T extends { readonly urn: OutputHandle<string> }
            ? T
            : T extends object
              ? { [K in keyof T]: Unwrap<T[K]> }
              : T;

/**
 * A value a resource will have: perhaps not known yet, perhaps secret, with the resources it comes from. Properties of
 * the value can be taken directly: `out.name` is `out.apply((value) => value.name)`, and gives `undefined` where there
 * is none.
 */
export type Output<T> = OutputHandle<T> & Lifted<T>;

type Lifted<T> = T extends readonly (infer E)[]
  ? { readonly [index: number]: Output<E>; readonly length: Output<number> }
  : T extends object
    ? { readonly [K in Exclude<keyof T, keyof OutputHandle<unknown>>]: Output<T[K]> }
    : unknown;

/** What every output offers. */
export interface OutputHandle<T> {
  /**
   * An output made from this one by a function of its value. The function is not called while the value is not known
   * (preview) and its own output, if it returns one, is flattened. Secretness and dependencies carry over.
   */
  apply<U>(func: (value: T) => Input<U>): Output<U>;
  readonly [SOURCE]: Source;
}

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
