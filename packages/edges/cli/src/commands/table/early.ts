import type { CommandContext } from '../../command-context.js';
import type { Invocation } from '../../command-spec.js';
import type { EarlyStart } from '@cairn/operations/early';
import type { EarlyUse } from '../../flows/early.js';
import type { OperationFlags } from '../../flags/operation.js';

/** Starts the work that operations on a stack wait for; see `CommandSpec.early`. */
export const operationStart =
  (program: EarlyUse) =>
  (invocation: Invocation<OperationFlags>, context: CommandContext): Promise<EarlyStart> =>
    import('../../flows/early.js').then(({ beginEarly }) => beginEarly(invocation, context, program));
