import type { StackId } from '@cairn/backends';
import { ORGANIZATION } from '@cairn/backends';
import type { StackStore } from '../service-store.js';
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
  | 'history';

/** Stacks in a bucket, each in the backend of its organization. */
export function bucketStacks(organizations: ServedOrganizations): Pick<StackStore, StackMembers> {
  const on = async <T>(
    stack: StackId,
    work: (served: ServedOrganization, id: StackId) => Promise<T>,
  ): Promise<T> => work(await organizations.of(stack), nameInOrganization(stack));
  return {
    listStacks: async ({ organization, project }) => {
      const { backend } = await organizations.of({ organization });
      const found = await backend.list(project);
      return organization === ORGANIZATION ? found : found.map((id) => ({ organization, ...id }));
    },
    summary: (stack) => on(stack, async ({ backend }, id) => ({ ...(await backend.summary(id)), ...stack })),
    stackExists: (stack) => on(stack, ({ backend }, id) => backend.exists(id)),
    createStack: (stack) => on(stack, ({ backend }, id) => backend.create(id, undefined)),
    removeStack: (stack, force) => on(stack, ({ backend }, id) => backend.remove(id, { force })),
    renameStack: (from, to, rewrite) =>
      on(from, ({ texts }, id) => texts.rename(id, nameInOrganization(to), rewrite)),
    tags: (stack) => on(stack, ({ backend }, id) => backend.tags(id)),
    setTags: (stack, tags) => on(stack, ({ backend }, id) => backend.editTags(id, () => tags)),
    readState: (stack) => on(stack, ({ texts }, id) => texts.read(id)),
    readStateAfter: (stack, version) => on(stack, ({ texts }, id) => texts.readAfter(id, version)),
    lock: (stack, lockId, reason) => on(stack, ({ texts }, id) => texts.lock(id, lockId, reason)),
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
      on(stack, ({ texts }, id) => texts.store(id, lockId, state, update)),
    recordUpdate: (stack, update) => on(stack, ({ texts }, id) => texts.record(id, update)),
    stamp: (stack) => on(stack, ({ texts }, id) => texts.stamp(id)),
    history: (stack, page) => on(stack, ({ backend }, id) => backend.history(id, page)),
  };
}
