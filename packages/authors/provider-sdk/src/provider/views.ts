import { emptyMap, equalMaps, fromPlainMap } from '@cairn/values';
import type { View, ViewOp, ViewPublishing, ViewStep } from '@cairn/wire';
import type { ViewOf } from '../definition.js';

/** The views to publish, and their receiver. */
interface Publication {
  readonly publishing: ViewPublishing | undefined;
  /** Package of types that name none. */
  readonly packageName: string;
  readonly old: readonly View[];
}

/** Publishes the change of an object's views. They become `parts`, which is empty if the object is gone. */
// [VIEW-2]
export async function publishViews(
  { publishing, packageName, old }: Publication,
  parts: readonly ViewOf[],
): Promise<void> {
  if (publishing === undefined) return;
  const now = parts.map((part) => viewOf(packageName, part));
  const before = new Map(old.map((view) => [identity(view), view]));
  const steps = now.map((view) => {
    const was = before.get(identity(view));
    before.delete(identity(view));
    return step(was === undefined ? 'create' : same(was, view) ? 'same' : 'update', was, view);
  });
  const gone = [...before.values()].reverse().map((view) => step('delete', view, undefined));
  if (steps.length + gone.length > 0) await publishing.publish([...steps, ...gone]);
}

function viewOf(packageName: string, { type, name, parent, inputs, outputs }: ViewOf): View {
  return {
    type: tokenIn(packageName, type),
    name,
    parentType: parent === undefined ? '' : tokenIn(packageName, parent.type),
    parentName: parent?.name ?? '',
    inputs: inputs === undefined ? emptyMap : fromPlainMap(inputs),
    outputs: fromPlainMap(outputs),
  };
}

const tokenIn = (packageName: string, type: string): string =>
  type.split(':').length === 2 ? `${packageName}:${type}` : type;

const identity = ({ type, name, parentType, parentName }: View): string =>
  JSON.stringify([parentType, parentName, type, name]);

const same = (a: View, b: View): boolean => equalMaps(a.inputs, b.inputs) && equalMaps(a.outputs, b.outputs);

function step(op: ViewOp, old: View | undefined, now: View | undefined): ViewStep {
  const { type = '', name = '' } = now ?? old ?? {};
  return {
    status: 'ok',
    error: '',
    op,
    type,
    name,
    old,
    new: now,
    keys: [],
    diffs: [],
    detailedDiff: undefined,
  };
}
