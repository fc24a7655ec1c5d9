import type { Input, Output } from '../output/brand.js';
import type { CustomResourceOptions } from './options.js';
import { CustomResource } from './resource.js';

/** Inputs of a {@link Stash}. */
export interface StashArgs {
  /** Any value that a property can have. */
  readonly input: Input<unknown>;
}

/** Keeps a value in the state: the first one that it receives, until it is replaced. No provider is called. */
export class Stash<T = unknown> extends CustomResource {
  constructor(name: string, args: StashArgs, options?: CustomResourceOptions) {
    super('pulumi:index:Stash', name, args, options);
  }

  /** The stored value. */
  get output(): Output<T> {
    return this.outputOf('output');
  }

  /** The value given last. */
  get input(): Output<T> {
    return this.outputOf('input');
  }
}
