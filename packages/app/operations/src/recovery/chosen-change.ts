import { didNothing } from '@cairn/backends';
import type { ChangeRow, StackLease } from '@cairn/backends';
import type { ChangeCandidates, DoneChange, EngineResult } from '@cairn/engine';
import type { RunOptions, Previewed } from '../operation/operation.js';
import { endPreview } from '../operation/pass.js';
import type { Prepared } from '../operation/prepared.js';
import type { Purpose } from '../pass-view.js';

/** Returns the choice for the engine's rules. `newest` is `undefined` if it does not matter, or if there is none. */
export async function choiceUnder(
  lease: StackLease,
  newest: ChangeRow | undefined,
): Promise<ChangeCandidates> {
  const { unfinished, finished } = lease;
  return {
    newest: newest && { ...newest, idle: didNothing(newest), declined: await isDeclined(lease, newest) },
    unfinished: unfinished?.changes.map(({ row }) => row.number),
    finished: finished.map(({ lineage }) => lineage),
  };
}

async function isDeclined(lease: StackLease, newest: ChangeRow): Promise<boolean> {
  if (!didNothing(newest) || newest.kind === 'resolve' || newest.kind === 'edit') return false;
  const { changes } = await lease.lineage(newest.number);
  return changes.some(({ messages }) => messages.some((each) => each.t === 'abort' && each.rollback));
}

/** Shows that nothing was left to do of a change. `result` is the result for the caller. */
export async function showDone(
  { ports: { interaction }, id, config }: Prepared,
  { kind }: DoneChange,
  runOptions: RunOptions,
  purpose: Purpose,
  result: DoneChange['result'],
): Promise<Previewed> {
  const view = await interaction.pass({
    ...{ which: 'run', kind, stack: id, purpose, config: config.program },
    nothingToDo: true,
  });
  await view.close?.();
  return endPreview(nothingDone(kind, result), view, runOptions);
}

function nothingDone(kind: DoneChange['kind'], result: DoneChange['result']): EngineResult {
  return {
    summary: { kind, preview: false, result, durationMs: 0, changes: {} },
    ...{ diagnostics: [], inDoubt: [], waiting: [] },
    ...{ stackOutputs: undefined, order: undefined, plan: undefined, claims: undefined, digests: undefined },
  };
}
