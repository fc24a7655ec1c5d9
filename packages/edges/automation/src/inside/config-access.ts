import type { OpenStackFile } from '@cairn/operations/stacks';
import type { Stacks } from './parts.js';

/** Opens the file of a stack. */
export interface ConfigAccess {
  /** One after the other: what one writes the next one reads. */
  run<T>(work: (stacks: Stacks, file: OpenStackFile) => Promise<T>): Promise<T>;
}
