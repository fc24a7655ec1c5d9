import type { CommandSpec } from '../../command-spec.js';
import type { EarlyUse } from '../../session/early.js';

/** Starts the work that operations on a stack wait for; see `CommandSpec.early`. */
export const operationStart =
  (program: EarlyUse): CommandSpec['early'] =>
  (invocation, world) =>
    import('../../session/early.js').then(({ beginEarly }) => beginEarly(invocation, world, program));
