import { selectStack } from '@cairn/workspace';
import { userOf } from '../access/user.js';
import { endedWell } from './operation.js';
import type { Ended } from './operation.js';
import type { Prepared } from './prepared.js';

/** What follows an operation that ended well: the stack itself goes as well when a destroy was to remove it. */
export async function afterwards(
  { ports, project, backend, url, id }: Prepared,
  ended: Pick<Ended, 'operation' | 'status' | 'stored'>,
): Promise<void> {
  const { kind, options } = ended.operation;
  if (kind !== 'destroy' || options.remove !== true || !endedWell(ended)) return;
  await backend.remove(id, {});
  await selectStack(userOf(ports), project, url, undefined);
  ports.interaction.notice({ t: 'stack-removed', stack: id });
}
