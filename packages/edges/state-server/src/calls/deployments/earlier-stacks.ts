import type { StackId } from '@cairn/backends';
import type { AskedDeployment, SealedSettings } from '../../domain/deployments/deployment.js';
import { namedStacks } from '../../domain/deployments/named-stacks.js';
import { changesNext, hasQueuedUpdate, isUpdate } from '../../domain/deployments/stack-order.js';
import type { EarlierStack, WorkBefore } from '../../domain/deployments/stack-order.js';
import { Refusal } from '../../domain/refusal.js';
import type { StackStore } from '../../store/service-store.js';
import type { ApiCaller } from '../caller.js';
import { unknownStack } from '../stack-records.js';
import { storedSettings } from './named-stacks.js';

/** Right that a caller needs on each stack that `cairn.after` names anew. */
const NEEDED = { role: 'reader', permission: 'stack:read' } as const;

/** Returns the work for which the open deployments of a stack may have to wait [AGT-2]. */
export async function workBefore(
  store: StackStore,
  stack: StackId,
  stackId: string,
  open: readonly AskedDeployment[],
): Promise<WorkBefore> {
  const earlier = await earlierStacks(store, stack, stackId, open);
  return { earlier, foreign: await foreignUpdate(store, stack, open) };
}

/**
 * Returns the update of a stack that runs and that none of its deployments has made: that of a person or a CI job.
 * Reads nothing unless a deployment would wait for it.
 */
async function foreignUpdate(
  store: StackStore,
  stack: StackId,
  open: readonly AskedDeployment[],
): Promise<string | undefined> {
  if (!open.some(changesNext)) return undefined;
  const running = await store.runningUpdate(stack);
  // The next one ends an update whose lease has expired.
  if (running === undefined || running.lapsed) return undefined;
  const { id, by } = running.record;
  return open.some(({ updates }) => updates.some((each) => each.id === id))
    ? undefined
    : `the update of ${by}`;
}

/**
 * Returns the stacks for whose open updates those of a stack wait [AGT-2]. Reads nothing of them unless an update of
 * the stack is queued. A stack that comes after this one itself is left out: two settings that were written at the same
 * time may form a circle, and so may a new name of a stack.
 */
async function earlierStacks(
  store: StackStore,
  stack: StackId,
  stackId: string,
  open: readonly AskedDeployment[],
): Promise<readonly EarlierStack[]> {
  if (!hasQueuedUpdate(open)) return [];
  const found: EarlierStack[] = [];
  for (const named of namedStacks(await storedSettings(store, stackId), 'after')) {
    const other = { ...stack, ...named };
    const record = await store.stackRecord(other);
    const updates = record === undefined ? [] : (await store.openDeployments(record.id)).filter(isUpdate);
    if (updates.length > 0 && !(await comesAfter(store, other, stack)))
      found.push({ name: nameOf(other), open: updates });
  }
  return found;
}

/**
 * Refuses settings by which a stack comes after itself (400), or which name a stack anew that does not exist or that
 * the caller cannot see (404).
 */
export async function checkOrder(
  caller: ApiCaller,
  store: StackStore,
  stack: StackId,
  { before, after }: { readonly before: SealedSettings; readonly after: SealedSettings },
): Promise<void> {
  const known = new Set(namedStacks(before, 'after').map(nameOf));
  for (const named of namedStacks(after, 'after')) {
    const other = { ...stack, ...named };
    if (known.has(nameOf(other))) continue;
    await caller.needOnStack(NEEDED, other);
    if (!(await store.stackExists(other))) throw unknownStack(other);
    if (await comesAfter(store, other, stack))
      throw new Refusal(
        400,
        `cairn.after: ${nameOf(other)} comes after ${nameOf(stack)} already. Leave out one "after" of the circle.`,
      );
  }
}

/** True if a stack is another one, or comes after it, directly or by way of others. */
async function comesAfter(store: StackStore, stack: StackId, other: StackId): Promise<boolean> {
  const seen = new Set<string>();
  const left = [stack];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (nameOf(each) === nameOf(other)) return true;
    if (seen.has(nameOf(each))) continue;
    seen.add(nameOf(each));
    const record = await store.stackRecord(each);
    if (record === undefined) continue;
    for (const named of namedStacks(await storedSettings(store, record.id), 'after'))
      left.push({ ...stack, ...named });
  }
  return false;
}

function nameOf({ project, stack }: Pick<StackId, 'project' | 'stack'>): string {
  return `${project}/${stack}`;
}
