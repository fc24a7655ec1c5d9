import { isPending, sourceOf } from './brand.js';
import type { Input, Output, OutputHandle, Source } from './brand.js';
import { gather } from './gather.js';
import { makeOutput } from './output.js';

/**
 * An output whose value is said later, and the function that says it: for values that two components need of each
 * other. Saying it a second time throws. A program that ends without saying it fails, and names what waits for it.
 */
export function deferredOutput<T>(): [output: Output<T>, resolve: (source: Input<T>) => void] {
  let settle: ((source: Source) => void) | undefined;
  const later = new Promise<Source>((resolve) => {
    settle = resolve;
  });
  const resolve = (source: Input<T>): void => {
    if (settle === undefined) throw new Error('this deferred output has its value already');
    settle(gather(source));
    settle = undefined;
  };
  return [makeOutput<T>(later.then((source) => source)), resolve];
}

/**
 * The output itself, or where it fails what a function makes of the error, which then counts as handled. The failure of
 * a resource is none of an output's: the engine has been told of it, and the program does not succeed.
 */
export function recover<T>(output: Output<T>, func: (error: unknown) => Input<T>): Output<T> {
  const source = sourceOf(output as OutputHandle<T>);
  if (!isPending(source)) return output;
  return makeOutput<T>(source.catch(async (error: unknown) => gather(await func(error))));
}
