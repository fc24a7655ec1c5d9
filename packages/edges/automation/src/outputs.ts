import type { Unwrap } from '@cairn/sdk';
import type { StackOutput } from './values.js';

/** Outputs of a stack whose program returns `Returned`, by name. Each value is free of outputs and promises. */
export type Outputs<Returned> = unknown extends Returned
  ? { readonly [name: string]: StackOutput }
  : Awaited<Returned> extends object
    ? { readonly [K in keyof Unwrap<Awaited<Returned>>]: StackOutput<Unwrap<Awaited<Returned>>[K]> }
    : { readonly [name: string]: StackOutput };

/** Outputs as far as a preview knows them. Values that only the real operation can tell are undefined. */
export type PreviewOutputs<Returned> = {
  readonly [K in keyof Outputs<Returned>]: Outputs<Returned>[K] extends StackOutput<infer T>
    ? StackOutput<T | undefined>
    : never;
};
