import type { CommandSpec } from '../../command-spec.js';

/** Begins what operations on a stack wait for; see `CommandSpec.early`. */
export const operationStart: CommandSpec['early'] = (invocation, world) =>
  import('../../session/early.js').then(({ beginEarly }) => beginEarly(invocation, world));
