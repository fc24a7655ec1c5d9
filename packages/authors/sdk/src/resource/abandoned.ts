import { setImmediate as turn } from 'node:timers/promises';
import { gather } from '../output/gather.js';

/**
 * A resource that nothing can come of any more is given up, to find out who waits for it: the error is what they get.
 * `of`: what is given up; `input`: that of whoever waits, if it is an input.
 */
export class Abandoned<T = unknown> extends Error {
  override readonly name = 'Abandoned';

  constructor(
    readonly of: T,
    readonly input?: string,
  ) {
    super('nothing can come of it any more');
  }
}

/** Throws the error that came of inputs; where it says that something was given up, with the input that it came by. */
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
