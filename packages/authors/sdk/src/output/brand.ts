import { SOURCE } from './handle.js';
import type { Output as OutputHandle, Source } from './handle.js';
import type { Resolution } from './resolution.js';

export { SOURCE };
export type { OutputHandle, Source };

/** A value or a future value: the type of resource inputs. */
export type Input<T> = T | Promise<T> | OutputHandle<T>;

/** The value inside outputs and promises, at every depth. */
export type Unwrap<T> =
  IsAny<T> extends true
    ? T
    : T extends Promise<infer U>
      ? Unwrap<U>
      : T extends OutputHandle<infer U>
        ? Unwrap<U>
        : T extends Plain
          ? T
          : T extends { readonly urn: OutputHandle<string> }
            ? T
            : T extends object
              ? { [K in keyof T]: Unwrap<T[K]> }
              : T;

/** Values whose properties an output does not lift. */
type Plain = string | number | boolean | bigint | symbol | null | undefined | ((...args: never[]) => unknown);

type IsAny<T> = 0 extends 1 & T ? true : false;

/**
 * A future value of a resource. It may be unknown or secret, and it carries the resources that it comes from.
 * Properties of the value are available directly: `out.name` is `out.apply((value) => value.name)`, and `undefined`
 * where there is none.
 */
export type Output<T> = OutputHandle<T> & Lifted<T>;

declare module './handle.js' {
  interface AppliedValue<U> {
    readonly output: Output<U>;
  }
}

/** Members of an output besides its own methods: the value's properties, as outputs. */
type Lifted<T> =
  IsAny<T> extends true
    ? { readonly [key: string]: T }
    : LiftedValue<NonNullable<T>, Extract<T, null | undefined> extends never ? never : undefined>;

/** `Absent` is undefined if the value may be missing. Properties taken from it may then be missing too. */
type LiftedValue<T, Absent> = T extends Plain
  ? unknown
  : T extends readonly [unknown, ...unknown[]]
    ? { readonly [K in Extract<keyof T, `${number}`> | 'length']: Output<Inside<T[K]> | Absent> }
    : T extends readonly (infer E)[]
      ? { readonly [index: number]: Output<Inside<E> | Absent>; readonly length: Output<number | Absent> }
      : T extends object
        ? { readonly [K in Exclude<keyof T, keyof OutputHandle<unknown>>]-?: Output<Inside<T[K]> | Absent> }
        : unknown;

/** Type of an output's value, with the outputs and promises inside it unwrapped. */
type Inside<T> = T extends OutputHandle<infer U> | Promise<infer U> ? U : T;

/** Tells whether a value is an output, of any copy of this package. */
export function isOutput(value: unknown): value is OutputHandle<unknown> {
  return typeof value === 'object' && value !== null && SOURCE in value;
}

/** Returns the resolution of an output, or the promise of it. */
export function sourceOf(output: OutputHandle<unknown>): Source {
  return output[SOURCE];
}

/** Tells whether the source must be awaited. */
export function isPending(source: Source): source is Promise<Resolution> {
  return 'then' in source;
}

/** Tells whether a value is a promise of any realm. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
