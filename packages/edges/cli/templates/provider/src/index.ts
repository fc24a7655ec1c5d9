import { CustomResource } from '@cairn/sdk';
import type { CustomResourceOptions, Output } from '@cairn/sdk';
import type { ArgsOf } from '@cairn/provider-sdk';
import type { inputs } from './note.js';

/** A note, which is a file. */
export class Note extends CustomResource {
  constructor(name: string, args: ArgsOf<typeof inputs>, options?: CustomResourceOptions) {
    super('__NAME__:index:Note', name, args, options);
  }

  /** Name of the file. */
  get title(): Output<string> {
    return this.outputOf('title');
  }

  /** Number of words. */
  get words(): Output<number> {
    return this.outputOf('words');
  }
}
