import type { StackLease } from '@cairn/backends';
import type { UnfinishedChoice } from '../interaction.js';
import type { RunOptions, RequestedOperation } from '../operation/operation.js';
import type { Prepared } from '../operation/prepared.js';
import { tell } from '../ports.js';
import { isOverdue } from './overdue.js';

/**
 * Reports an unfinished change of the stack, and the possible actions. An up asks, if a person is present. Every other
 * operation begins a change of its own, which supersedes the unfinished one.
 */
export async function chooseForUnfinished(
  { ports }: Prepared,
  { kind }: RequestedOperation,
  { confirmed }: RunOptions,
  { unfinished, notes }: Pick<StackLease, 'unfinished' | 'notes'>,
): Promise<UnfinishedChoice> {
  if (unfinished === undefined) return 'start-over';
  const { interaction } = ports;
  if (!notes.some(({ code }) => code === unfinished.note.code)) tell(ports, [unfinished.note]);
  const first = unfinished.changes[0]?.row;
  if (first !== undefined && isOverdue(first, ports.now())) interaction.notice({ t: 'overdue', row: first });
  if (kind !== 'up' || !interaction.attended || confirmed === true) return 'start-over';
  return interaction.chooseForUnfinished(unfinished);
}

/** Reports an unfinished or running change, for work that takes no lock. Damaged records do not prevent such work. */
export async function tellUnfinished({ ports, backend, id }: Prepared): Promise<void> {
  const newest = await backend.newestChange(id).catch(() => undefined);
  if (newest === undefined || !(newest.unfinished || newest.running)) return;
  ports.interaction.notice({ t: 'unfinished', row: newest });
  if (isOverdue(newest, ports.now())) ports.interaction.notice({ t: 'overdue', row: newest });
}
