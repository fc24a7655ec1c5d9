import { isPending, sourceOf } from './brand.js';
import type { Input, Output, OutputHandle, Source } from './brand.js';
import { gather } from './gather.js';
import { makeOutput } from './output.js';

/**
 * Returns an output whose value is set later, and the function that sets it: for values that two components need of
 * each other. Setting it a second time throws. A program that ends without setting it fails and names the resources
 * that wait for it.
 */
export function deferredOutput<T>(): [output: Output<T>, resolve: (source: Input<T>) => void] {
  let settle: ((source: Source) => void) | undefined;
  const later = new Promise<Source>((resolve) => {
    settle = resolve;
  });
  const resolve = (source: Input<T>): void => {
    if (settle === undefined) throw new Error('this deferred output already has a value');
    settle(gather(source));
    settle = undefined;
  };
  return [makeOutput<T>(later.then((source) => source)), resolve];
}

/**
 * Returns an output that replaces a failure by the result of `func`; the error then counts as handled. A failed
 * resource is not a failed output: the engine knows of it, and the program does not succeed.
 */
export function recover<T>(output: Output<T>, func: (error: unknown) => Input<T>): Output<T> {
  const source = sourceOf(output as OutputHandle<T>);
  if (!isPending(source)) return output;
  return makeOutput<T>(source.catch(async (error: unknown) => gather(await func(error))));
}
