import type { CommandSpec } from '../../command-spec.js';
import type { EarlyUse } from '../../flows/early.js';

/** Starts the work that operations on a stack wait for; see `CommandSpec.early`. */
export const operationStart =
  (program: EarlyUse): CommandSpec['early'] =>
  (invocation, context) =>
    import('../../flows/early.js').then(({ beginEarly }) => beginEarly(invocation, context, program));
