import type { OpenStackFile } from '@cairn/operations/stacks';
import type { StacksModule } from './parts.js';

/** Opens the file of a stack. */
export interface ConfigAccess {
  /** Runs the work after all earlier work, so that it reads everything they wrote. */
  run<T>(work: (stacks: StacksModule, file: OpenStackFile) => Promise<T>): Promise<T>;
}
