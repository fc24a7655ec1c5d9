import { removeStack } from '../stacks/rename-or-remove.js';
import { endedWell } from './operation.js';
import type { Ended } from './operation.js';
import type { Prepared } from './prepared.js';

/** Completes an operation that ended well: removes the stack itself if a destroy was to remove it. */
export async function afterwards(
  prepared: Prepared,
  ended: Pick<Ended, 'operation' | 'status' | 'stored'>,
): Promise<void> {
  const { kind, options } = ended.operation;
  if (kind !== 'destroy' || options.remove !== true || !endedWell(ended)) return;
  await removeStack(prepared, { preserveConfig: options.preserveConfig });
  prepared.ports.interaction.notice({ t: 'stack-removed', stack: prepared.id });
}
