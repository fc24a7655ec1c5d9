import { inFlight } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import type { StoredStackSummary } from '../../backend.js';
import { checkedName } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';
import { timeOf } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { checkpointKey } from '../checkpoint/checkpoint-file.js';
import { layout, legacyStackOfKey, stackOfKey } from '../layout.js';
import { StateKeys } from '../sealed/sealing.js';
import { outlineOf } from './read-outline.js';
import { readStack } from './read-stack.js';

/** Lists every stack, optionally of one project unless the layout has none. */
export async function storedStacks(
  { store, layout: kept }: BackendContext,
  project: string | undefined,
): Promise<readonly StackId[]> {
  const stacks = new Map<string, StackId>();
  if (project !== undefined) checkedName('project', project);
  const prefix = project === undefined || kept === 'legacy' ? layout.stacks : `${layout.stacks}${project}/`;
  for (const { key } of await store.list(prefix)) {
    const id = kept === 'legacy' ? legacyStackOfKey(key) : stackOfKey(key);
    if (id !== undefined) stacks.set(layout.checkpoint(id), id);
  }
  return [...stacks.values()];
}

/**
 * Summarizes every stack of {@link storedStacks}. A stack whose checkpoint cannot be read is listed by its name alone.
 */
export async function summarizeAll(
  context: BackendContext,
  project: string | undefined,
): Promise<readonly (StackId & Partial<StoredStackSummary>)[]> {
  return inFlight(await storedStacks(context, project), context.settings.parallel, (id) =>
    summarize(context, id).catch(() => id),
  );
}

/** Summarizes a stack without any key: for a sealed stack, only what is known without one. */
export async function summarize(context: BackendContext, id: StackId): Promise<StoredStackSummary> {
  const keyless = { ...context, store: context.store.withKeys(new StateKeys(undefined)) };
  try {
    const outline = (await outlineOf(keyless, id))?.outline;
    if (outline !== undefined) return summaryOf(id, outline.resources, outline.time);
    const { deployment } = await readStack(keyless, id, { integrity: 'skip' });
    const pending = deployment?.pendingOperations.length ?? 0;
    const summary = summaryOf(id, deployment?.resources.length ?? 0, deployment?.manifest.time);
    return pending === 0 ? summary : { ...summary, pending };
  } catch (thrown) {
    if (!isCairnError(thrown) || thrown.diagnostics[0]?.code !== 'CAIRN-STATE-SEALED') throw thrown;
    const key = await checkpointKey(context.store, id);
    const row = (await context.store.list(layout.checkpoint(id))).find((each) => each.key === key);
    const lastUpdate = row === undefined ? undefined : new Date(row.modified).toISOString();
    return { ...id, resources: undefined, lastUpdate, sealed: true };
  }
}

function summaryOf(id: StackId, resources: number, stored: string | undefined): StoredStackSummary {
  const time = timeOf(stored);
  const lastUpdate = time === undefined || time.startsWith('0001-') ? undefined : time;
  return { ...id, resources, lastUpdate };
}
