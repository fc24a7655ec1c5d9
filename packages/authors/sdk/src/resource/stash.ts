import type { Input, Output } from '../output/brand.js';
import type { CustomResourceOptions } from './options.js';
import { CustomResource } from './resource.js';

/** What a {@link Stash} is given. */
export interface StashArgs {
  /** Anything that a property can be. */
  readonly input: Input<unknown>;
}

/**
 * Keeps a value in the state: the first one that it is given, until it is replaced. No provider is asked.
 */
export class Stash<T = unknown> extends CustomResource {
  constructor(name: string, args: StashArgs, options?: CustomResourceOptions) {
    super('pulumi:index:Stash', name, args, options);
  }

  /** The value that is kept. */
  get output(): Output<T> {
    return this.outputOf('output');
  }

  /** The value that was given last. */
  get input(): Output<T> {
    return this.outputOf('input');
  }
}
