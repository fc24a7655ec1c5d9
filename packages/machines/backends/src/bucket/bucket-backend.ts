import { BugError } from '@cairn/diagnostics';
import { untypedDeploymentText } from '@cairn/state';
import type { Backend, BucketBackend } from '../backend.js';
import type { BackendPorts } from '../backend-ports.js';
import type { BucketPart } from '../bucket-part.js';
import type { Migration } from '../model/migration.js';
import { checkedStackId } from '../stack-id.js';
import type { StackId } from '../stack-id.js';
import type { BackendContext } from './backend-context.js';
import { loadCheckpoint } from './checkpoint/checkpoint-file.js';
import { tellChange } from './control/tell.js';
import { readHistory, readHistoryState } from './history/history-store.js';
import { layout } from './layout.js';
import { lockHolders } from './locks/lock-file.js';
import { releaseLocks, runningOperation } from './locks/running-operation.js';
import { openLease } from './operation/lease.js';
import { followChange } from './records/follow.js';
import { changeRow, listChanges, loadChangeOf, newestChange } from './records/read-changes.js';
import { sealedDocument } from './sealed/sealed-document.js';
import { checkWrites } from './stacks/check-writes.js';
import { createBucketStack, replaceDeployment } from './stacks/create-stack.js';
import { editDeployment } from './stacks/edit-stack.js';
import { storedStacks, summarize, summarizeAll } from './stacks/list-stacks.js';
import { awaitUnlocked } from './stacks/locked.js';
import { legacyNotes } from './stacks/meta.js';
import { readRootOf } from './stacks/read-outline.js';
import { hasStack, ofStored, readStack } from './stacks/read-stack.js';
import { removeBucketStack } from './stacks/remove-stack.js';
import { editTags, readTags } from './stacks/tags.js';

/** Returns the backend over the store of a context. Closing it closes the store. */
export function bucketBackend(context: BackendContext, ports: BackendPorts): BucketBackend {
  const { store } = context;
  const own = ownIn(context);
  const stored = <T>(id: StackId, run: (id: StackId) => Promise<T>): Promise<T> =>
    ofStored(context, own(id), () => run(own(id)));
  return {
    url: store.url,
    bucket: bucketPart(context, ports),
    list: (project) => storedStacks(context, project),
    summary: (id) => summarize(context, own(id)),
    summaries: (project) => summarizeAll(context, project),
    exists: async (id) => hasStack(context, own(id)),
    create: (id, secretsProvider) => createBucketStack(context, own(id), secretsProvider),
    remove: (id, options = {}) => removeBucketStack(context, own(id), options),
    read: (id, options = {}) => readStack(context, own(id), options),
    readRoot: (id) => readRootOf(context, own(id)),
    exportText: async (id) =>
      untypedDeploymentText((await readStack(context, own(id), { integrity: 'skip' })).deployment),
    ...recordsOf(context, own, stored),
    replace: (id, deployment, message) => replaceDeployment(context, own(id), deployment, message),
    edit: (id, change, message, options) => editDeployment(context, own(id), change, { message, ...options }),
    move: async (source, dest, change, message) => {
      const { moveBetween } = await import('./rare.js');
      return moveBetween(context, { source: own(source), dest: own(dest), message }, change);
    },
    rename: async (from, to) => {
      const { renameBucketStack } = await import('./rare.js');
      return renameBucketStack(context, own(from), own(to));
    },
    tags: async (id) => stored(id, (kept) => readTags(store, kept)),
    editTags: async (id, change) => stored(id, (kept) => editTags(store, kept, change)),
    lease: (id, options) => openLease(context, own(id), options),
    awaitUnlocked: (id, interrupted) => awaitUnlocked(context, own(id), interrupted),
    currentOperation: (id) => runningOperation(context, own(id)),
    cancel: (id) => releaseLocks(context, own(id)),
    close: () => store.close(),
  };
}

/**
 * Returns a function that checks the name of a stack. A store of the old layout knows no projects: a stack is found by
 * its name, whatever project the caller gives.
 */
function ownIn({ layout: kept }: BackendContext): (id: StackId) => StackId {
  return ({ project, stack }) => checkedStackId({ project: kept === 'legacy' ? '' : project, stack });
}

/** Members of a backend for updates of the past, and for changes that run or ran. */
function recordsOf(
  context: BackendContext,
  own: (id: StackId) => StackId,
  stored: <T>(id: StackId, run: (id: StackId) => Promise<T>) => Promise<T>,
): Pick<
  Backend,
  | ('history' | 'stateAfter' | 'changes' | 'newestChange' | 'changeRow' | 'change' | 'tell' | 'follow')
  | 'pastChanges'
> {
  return {
    history: (id, page = {}) => readHistory(context.store, own(id), page),
    stateAfter: async (id, version) => stored(id, (kept) => readHistoryState(context.store, kept, version)),
    changes: async (id, newest) => stored(id, (kept) => listChanges(context, kept, newest)),
    newestChange: async (id, isWanted = () => true) =>
      stored(id, (kept) => newestChange(context, kept, isWanted)),
    changeRow: (id, number) => changeRow(context, own(id), number),
    change: (id, number) => loadChangeOf(context, own(id), number),
    tell: (id, number, message) => tellChange(context, own(id), number, message),
    follow: (id, number, onRecords, signal) => followChange(context, own(id), number, onRecords, signal),
    pastChanges: {
      stateName: async (id) => {
        const { storedStateName } = await import('./rare.js');
        return storedStateName(context.store, own(id));
      },
      read: async (id, number) => {
        const { readPastChange } = await import('./rare.js');
        return readPastChange(context.store, own(id), number);
      },
      add: async (id, change) => {
        const { addToBucket } = await import('./rare.js');
        return addToBucket(context, own(id), change);
      },
    },
  };
}

/** Contexts of buckets, for migrations between them. */
const contexts = new WeakMap<BucketPart, BackendContext>();

function bucketPart(context: BackendContext, { newId }: BackendPorts): BucketPart {
  const { store } = context;
  const own = ownIn(context);
  const part: BucketPart = {
    layout: context.layout,
    checkWrites: () => checkWrites(store),
    notes: async () => (tellsOld(context) ? legacyNotes(context) : []),
    sealDocument: async (id, pieces) => {
      if (!store.keys.hasManager(layout.pathOf(own(id)))) await loadCheckpoint(store, own(id));
      return sealedDocument(pieces, await store.keys.keyFor(layout.pathOf(own(id))));
    },
    restore: async (id, agree) => {
      const { restoreCheckpoint } = await import('./rare.js');
      return restoreCheckpoint(context, own(id), agree);
    },
    setAside: async (id, agree) => {
      const { setAside } = await import('./rare.js');
      return setAside(context, own(id), agree);
    },
    digests: async (id) => (await store.get(layout.digests(own(id))))?.bytes,
    keepDigests: async (id, bytes) => {
      await store.put(layout.digests(own(id)), bytes);
    },
    locks: (id) => lockHolders(store, own(id)),
    lockWithReason: async (id, reason) =>
      ofStored(context, own(id), async () => {
        const { lockWithReason } = await import('./rare.js');
        return lockWithReason(context, own(id), reason, newId());
      }),
    unlock: async (id, lock) => {
      const { unlockStack } = await import('./rare.js');
      await unlockStack(context, own(id), lock);
    },
    addHistory: async (id, update) => {
      const { addPastUpdate } = await import('./rare.js');
      await addPastUpdate(context, own(id), update);
    },
    migrate: async (target, { from, to, ...options }) => {
      const there = contexts.get(target);
      if (there === undefined) throw new BugError('a bucket that this package has not opened');
      const { migrateBucketStack } = await import('./rare.js');
      const migration: Migration = { ...options, from: own(from), to: ownIn(there)(to) };
      return migrateBucketStack(context, there, migration, newId());
    },
  };
  contexts.set(part, context);
  return part;
}

/**
 * Returns true if the user should hear of stacks of the old layout beside the new one. A store without a mark would be
 * of the old layout itself if it had such stacks.
 */
function tellsOld({ settings, layout: kept, marked }: BackendContext): boolean {
  return !settings.silentLegacy && kept === 'project' && marked;
}
