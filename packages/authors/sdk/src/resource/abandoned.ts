import { setImmediate as turn } from 'node:timers/promises';
import { gather } from '../output/gather.js';

/**
 * Thrown into a resource that can no longer finish, to find out which resources wait for it: they receive this error.
 * `of` is the abandoned resource. `input` is the input of the waiting resource, if it waits by one.
 */
export class Abandoned<T = unknown> extends Error {
  override readonly name = 'Abandoned';

  constructor(
    readonly of: T,
    readonly input?: string,
  ) {
    super('it can no longer be resolved');
  }
}

/** Rethrows the error of an input. Adds the input's name if the error reports an abandoned resource. */
export async function byInput(inputs: object, error: unknown): Promise<never> {
  if (!(error instanceof Abandoned)) throw error;
  for (const [key, item] of Object.entries(inputs)) {
    const reason = Promise.resolve(gather(item)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if ((await Promise.race([reason, turn()])) === error) throw new Abandoned(error.of, key);
  }
  throw error;
}
