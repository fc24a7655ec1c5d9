import type { Diagnostic } from '@cairn/diagnostics';
import { emptyDeployment, isJsonObject, withoutMoved } from '@cairn/state';
import type { Json, SerializedDeployment } from '@cairn/state';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { OperationFile } from '../journal/journal-files.js';
import type { StackId } from '../../stack-id.js';
import { readUnfolded } from './unfolded.js';

/** Moved object: its URN here, and its URN and id in the other stack. */
interface MovedObject {
  readonly urn: string;
  readonly to: string;
  readonly id: string;
}

/** Returns the options of a move's journal. They say from its beginning where its resources go. */
export function moveOptions(
  dest: StackId,
  deployment: SerializedDeployment,
  arrived: ReadonlyMap<string, string>,
): Json {
  const ids = new Map(deployment.resources.map(({ urn, id }) => [urn, id ?? '']));
  const objects = [...arrived].map(([urn, to]) => ({ urn, to, id: ids.get(to) ?? '' }));
  return { move: { ...dest, objects } };
}

/** Interrupted move that is done in the other stack. `edited` is the state here without the moved resources. */
interface UnfinishedMove {
  readonly edited: SerializedDeployment;
  readonly note: Diagnostic;
}

/**
 * Returns the rest of a move that its process did not finish, or undefined when the other stack has not received the
 * resources.
 */
export async function unfinishedMove(
  context: BackendContext,
  { options }: OperationFile,
  base: StoredCheckpoint,
): Promise<UnfinishedMove | undefined> {
  const move = isJsonObject(options ?? null) ? (options as { readonly move?: Json }).move : undefined;
  if (move === undefined || !isMove(move)) return undefined;
  const dest = { project: move.project, stack: move.stack };
  const there = await loadCheckpoint(context.store, dest);
  // Recorded and not yet stored resources are safe in the other stack, too.
  const state = there === undefined ? undefined : await readUnfolded(context, dest, there);
  const resources = state?.deployment?.resources ?? [];
  const has = new Set(resources.map(({ urn, id }) => JSON.stringify([urn, id ?? ''])));
  if (!move.objects.every(({ to, id }) => has.has(JSON.stringify([to, id])))) return undefined;
  const gone = new Set(move.objects.map(({ urn }) => urn));
  return {
    edited: withoutMoved(deploymentOf(base) ?? emptyDeployment, gone).deployment,
    note: {
      severity: 'info',
      code: 'CAIRN-UNFINISHED',
      summary: `finished an interrupted move of ${gone.size} resources to stack "${dest.stack}"`,
      causes: [...gone],
    },
  };
}

function isMove(value: Json): value is { project: string; stack: string; objects: MovedObject[] } & Json {
  if (!isJsonObject(value)) return false;
  const { project, stack, objects } = value;
  const isObject = (each: Json): boolean =>
    isJsonObject(each) && ['urn', 'to', 'id'].every((key) => typeof each[key] === 'string');
  return (
    typeof project === 'string' &&
    typeof stack === 'string' &&
    Array.isArray(objects) &&
    (objects as readonly Json[]).every(isObject)
  );
}
