import type { TaskKind } from '../handlers/index.js';
import type { FailureLanes } from '../failure-lanes.js';
import type { OperationChange } from '../operation-change.js';
import type { UndoOnly } from '../step-run.js';
import type { TaskEdges } from '../task-edges.js';
import type { UndoSubject } from './planner.js';
import type { UndoPart } from '../../model/undo-part.js';

/** Change to undo. `after` contains indexes of the requests that it came after. */
export type UndoRequest = Omit<UndoSubject, 'followers'> & { readonly after: readonly number[] };

/** Parts that added undos work with. */
interface UndoTaskParts {
  readonly change: OperationChange;
  readonly edges: TaskEdges;
  readonly lanes: Pick<FailureLanes, 'isShared'>;
}

/**
 * Undoes changes that no task of this change has done, or that one has done only in part. Adds them as tasks that are
 * done, and aborts these immediately.
 */
export function addUndos(
  { change, edges, lanes: domains }: UndoTaskParts,
  undos: readonly UndoRequest[],
): void {
  if (undos.length === 0) return;
  change.tx((t) => {
    const lanes = [t.newLane()];
    const ids: string[] = [];
    for (const { after, ...undoes } of undos) {
      const { urn, part, option, withContainer } = undoes;
      const id = t.addTask({
        kind: undoes.imported ? 'import' : UNDONE_AS[part],
        summary: `undo: ${part} ${urn}`,
        payload: { undoes } satisfies UndoOnly,
        data: {
          urn,
          ...(option !== undefined && { rollback: option }),
          ...(withContainer === true && { withContainer }),
          ...(domains.isShared(urn) && { shared: true }),
        },
        status: 'done',
        lanes,
        waits: after.map((index) => ids[index] as string),
      });
      ids.push(id);
      edges.taken(urn, id);
    }
    t.abortTasks(ids);
  });
}

/** Kinds of tasks that undo a change without having done it. */
const UNDONE_AS = { remove: 'create', restore: 'update', recreate: 'delete' } as const satisfies Record<
  UndoPart,
  TaskKind
>;
