import { ORGANIZATION, organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { stackKey } from '../../domain/stack-key.js';
import type { StackRecord, StackStore } from '../service-store.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';
import { keyedRecord, putKeyedRecord } from './keyed-records.js';
import { nameInOrganization } from './served-organizations.js';
import type { ServedOrganization, ServedOrganizations } from './served-organizations.js';

type StackMembers =
  | 'listStacks'
  | 'summary'
  | 'stackExists'
  | 'createStack'
  | 'removeStack'
  | 'renameStack'
  | 'tags'
  | 'setTags'
  | 'readState'
  | 'readStateAfter'
  | 'lock'
  | 'unlock'
  | 'otherHolder'
  | 'storeState'
  | 'recordUpdate'
  | 'stamp'
  | 'history'
  | 'putStackRecord'
  | 'stackRecord'
  | 'noteDamage';

/**
 * Stacks in a bucket, each in the backend of its organization. The record of a stack notes the state that was stored
 * last, so that one which the bucket loses is missed.
 */
export function bucketStacks(
  organizations: ServedOrganizations,
  documents: Documents,
): Pick<StackStore, StackMembers> {
  const stackRecord = (stack: StackId) => keyedRecord<StackRecord>(documents, keys.stack(stack));
  const storedState = async (stack: StackId) => (await stackRecord(stack))?.stored;
  const on = async <T>(
    stack: StackId,
    work: (served: ServedOrganization, id: StackId) => Promise<T>,
  ): Promise<T> => work(await organizations.of(stack), nameInOrganization(stack));
  /** True for a stack that the bucket has, but no state of it. */
  const isGone = async (stack: StackId): Promise<boolean> => {
    const stored = await storedState(stack);
    return stored !== undefined && on(stack, ({ texts }, id) => texts.isGone(id, stored));
  };
  return {
    listStacks: async ({ organization, project }) => {
      const { backend } = await organizations.of({ organization });
      const there = await backend.list(project);
      const found = organization === ORGANIZATION ? there : there.map((id) => ({ organization, ...id }));
      const listed = new Set(found.map(stackKey));
      const gone = (await lostStacks(documents)).filter(
        (stack) =>
          organizationOf(stack) === organization &&
          (project === undefined || stack.project === project) &&
          !listed.has(stackKey(stack)),
      );
      return [...found, ...gone];
    },
    stackRecord,
    putStackRecord: async (stack, record) => {
      await putKeyedRecord(documents, keys.stack(stack), record);
      if (record.lost !== undefined) await documents.put(keys.lost(record.id), nameOf(stack));
    },
    noteDamage: async (stack, now) => {
      let at = now;
      const isNew = await documents.edit<{ readonly at: number }>(
        keys.damage(keys.stack(stack)),
        async (noted) => {
          at = noted?.at ?? now;
          return noted === undefined ? { at } : undefined;
        },
      );
      return { at, isNew };
    },
    summary: (stack) => on(stack, async ({ backend }, id) => ({ ...(await backend.summary(id)), ...stack })),
    stackExists: async (stack) => (await on(stack, ({ backend }, id) => backend.exists(id))) || isGone(stack),
    createStack: (stack) => on(stack, ({ backend }, id) => backend.create(id, undefined)),
    removeStack: (stack, force) => on(stack, ({ backend }, id) => backend.remove(id, { force })),
    renameStack: (from, to, rewrite) =>
      on(from, ({ texts }, id) => texts.rename(id, nameInOrganization(to), rewrite)),
    // Tags of a stack whose state is gone are not read: they are there again when it has one.
    tags: (stack) =>
      on(stack, ({ backend }, id) =>
        backend.tags(id).catch(async (thrown: unknown) => {
          if (await isGone(stack)) return {};
          throw thrown;
        }),
      ),
    setTags: (stack, tags) => on(stack, ({ backend }, id) => backend.editTags(id, () => tags)),
    readState: (stack) => on(stack, async ({ texts }, id) => texts.read(id, await storedState(stack))),
    readStateAfter: (stack, version) => on(stack, ({ texts }, id) => texts.readAfter(id, version)),
    lock: (stack, lockId, reason) =>
      on(stack, ({ texts }, id) => texts.lock(id, lockId, reason, () => storedState(stack))),
    unlock: (stack, lockId) => on(stack, ({ texts }, id) => texts.unlock(id, lockId)),
    otherHolder: (stack) =>
      on(stack, async ({ backend }, id) => {
        const [holder] = await backend.bucket.locks(id);
        if (holder === undefined) return undefined;
        const { username, hostname, timestamp, modified, reason } = holder;
        const since = Date.parse(timestamp) || modified;
        return { by: `${username}@${hostname}`, since: Math.floor(since / 1000), reason };
      }),
    storeState: (stack, lockId, state, update) =>
      on(stack, ({ texts }, id) =>
        texts.store(id, { lockId, state, update, stored: () => storedState(stack) }),
      ),
    recordUpdate: (stack, update) => on(stack, ({ texts }, id) => texts.record(id, update)),
    stamp: (stack) => on(stack, ({ texts }, id) => texts.stamp(id)),
    history: (stack, page) => on(stack, ({ backend }, id) => backend.history(id, page)),
  };
}

/** Returns the stacks whose states the bucket has lost. */
async function lostStacks(documents: Documents): Promise<readonly StackId[]> {
  const lost: StackId[] = [];
  for (const stack of await documents.list<StackId>(keys.lostStacks)) {
    // A damaged record hides no other stack: this one is lost, too.
    const isLost = await keyedRecord<StackRecord>(documents, keys.stack(stack)).then(
      (record) => record?.lost !== undefined,
      () => true,
    );
    if (isLost) lost.push(stack);
  }
  return lost;
}

function nameOf({ organization, project, stack }: StackId): StackId {
  return { ...(organization !== undefined && { organization }), project, stack };
}
