import type { ChangeRow, FinishedChange, StackLease } from '@cairn/backends';
import type { OperationResult } from '@cairn/engine';
import type { Conduct, Previewed } from '../operation/operation.js';
import { endPreview } from '../operation/pass.js';
import type { Prepared } from '../operation/prepared.js';
import type { Purpose } from '../pass-view.js';

/** A change that had come to its end when its process died: there is nothing left of it to go on with. */
export interface AlreadyDone {
  readonly result: 'succeeded' | 'rolled-back';
  readonly kind: OperationResult['summary']['kind'];
  /** The first of the changes that it goes on with. */
  readonly origin: number;
  /** Its own. */
  readonly change: number;
}

/**
 * The change that is meant, when it is one that this lease has stored: the newest unless another is named. An edit is
 * none, and one that failed before it did anything came to nothing.
 */
export function alreadyDone(
  { finished, unfinished }: Pick<StackLease, 'finished' | 'unfinished'>,
  number: number | undefined,
): AlreadyDone | undefined {
  if (number === undefined && unfinished !== undefined) return undefined;
  const isMeant = ({ line }: FinishedChange): boolean =>
    number === undefined || line.some((row) => row.number === number);
  const line = finished.findLast(isMeant)?.line ?? [];
  return doneIn(line[0], line.at(-1));
}

function doneIn(first: ChangeRow | undefined, last: ChangeRow | undefined): AlreadyDone | undefined {
  if (first === undefined || last === undefined || last.unfinished || last.kind === 'edit') return undefined;
  const { result, kind, number } = last;
  if (result !== 'succeeded' && result !== 'rolled-back') return undefined;
  return { result, kind, origin: first.number, change: number };
}

/** Whether everything of it was taken back. */
export function isTakenBack({ kind, result }: AlreadyDone): boolean {
  return kind === 'rollback' || result === 'rolled-back';
}

/** Has it shown that nothing was left to do. `result`: what that is to whoever asked. */
export async function showDone(
  { ports: { interaction }, id, config }: Prepared,
  { kind }: AlreadyDone,
  conduct: Conduct,
  purpose: Purpose,
  result: AlreadyDone['result'],
): Promise<Previewed> {
  const view = await interaction.pass({
    ...{ which: 'run', kind, stack: id, purpose, config: config.program },
    nothingToDo: true,
  });
  await view.close?.();
  return endPreview(nothingDone(kind, result), view, conduct);
}

function nothingDone(kind: AlreadyDone['kind'], result: AlreadyDone['result']): OperationResult {
  return {
    summary: { kind, preview: false, result, durationMs: 0, changes: {} },
    ...{ diagnostics: [], inDoubt: [], waiting: [] },
    ...{ stackOutputs: undefined, order: undefined, plan: undefined, claims: undefined },
  };
}
