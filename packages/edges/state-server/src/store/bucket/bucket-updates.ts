import { entryTextsOf, openPieces, readPieces } from '@cairn/backends';
import type { StackId, StateText } from '@cairn/backends';
import type { BlobStore } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import { LONGEST_LEASE } from '@cairn/http-api';
import { FoldBudget, MOST_FOLDED } from '../../domain/live-fold.js';
import { leaseMs } from '../../domain/lease.js';
import { lostEntries } from '../../domain/lost-state.js';
import { stackKey } from '../../domain/stack-key.js';
import type { UpdateRecord } from '../../domain/update-record.js';
import { documentOf, documentText } from '../document-bytes.js';
import type { RunningNote, StackRecord, UpdateName, UpdateStore } from '../service-store.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';
import { keyedRecord } from './keyed-records.js';
import { markPreview, markedPreviews } from './bucket-previews.js';
import { LiveUpdates } from './live-updates.js';
import { UpdateLogs } from './update-logs.js';
import { nameInOrganization } from './served-organizations.js';
import type { ServedOrganization, ServedOrganizations } from './served-organizations.js';
import type { LogName } from './update-logs.js';

/** Updates in a bucket, with those that this process runs. */
export function bucketUpdates(
  blobs: BlobStore,
  documents: Documents,
  ports: {
    readonly organizations: ServedOrganizations;
    readonly monotonic: () => number;
    readonly now: () => Date;
  },
): { readonly live: LiveUpdates; readonly updates: UpdateStore } {
  const { organizations, monotonic, now } = ports;
  const read = async (record: UpdateRecord, name: LogName): Promise<readonly Buffer[]> => {
    const journal = name === 'journal' ? await journalOf(organizations, record) : undefined;
    if (journal !== undefined) return journal.in.pieces(journal.id, journal.number);
    return readPieces(blobs, keys.log(record.stackId, record.id, name), { whole: name === 'journal' });
  };
  const base = async ({ stackId, id }: UpdateRecord): Promise<StateText> => {
    const key = keys.base(stackId, id);
    const blob = await blobs.get(key);
    if (blob === undefined)
      throw cairnError(
        'CAIRN-STATE-CORRUPT',
        `cannot read ${key}, which update ${id} began with: it is gone`,
        {
          hint: 'Restore it from a backup, or put the state of an older version in its place.',
        },
      );
    return documentOf(blob.bytes, key);
  };
  const budget = new FoldBudget(MOST_FOLDED);
  const live = new LiveUpdates(
    monotonic,
    (record) =>
      new UpdateLogs(
        {
          open: async (name) => {
            const journal = name === 'journal' ? await journalOf(organizations, record) : undefined;
            if (journal !== undefined) return journal.in.open(journal.id, journal.number);
            return openPieces(blobs, keys.log(record.stackId, record.id, name));
          },
          read: (name) => read(record, name),
          base: () => base(record),
        },
        budget,
      ),
  );
  const adopt = (stack: StackId, record: UpdateRecord): void => {
    live.note(stack, record);
    live.extend(record.id, leaseMs(LONGEST_LEASE));
  };
  const stored = async ({ stack, id }: UpdateName): Promise<UpdateRecord | undefined> => {
    const known = await keyedRecord<StackRecord>(documents, keys.stack(stack));
    const record = known && (await documents.get<UpdateRecord>(keys.update(known.id, id)));
    // A preview holds no lock, so no note of it is found after a restart: it is taken up with its next call.
    if (record?.status === 'running' && record.dryRun && record.ending === undefined) adopt(stack, record);
    return record;
  };
  const updates: UpdateStore = {
    findUpdate: async (update) => {
      const running = live.find(update.id);
      const isHere = running !== undefined && stackKey(running.stack) === stackKey(update.stack);
      const record = isHere ? running.record : await stored(update);
      return record && live.found(record);
    },
    runningUpdate: async (stack) => {
      const key = stackKey(stack);
      const running = live.all().find((each) => !each.record.dryRun && stackKey(each.stack) === key);
      return running && live.found(running.record);
    },
    putUpdateRecord: async (stack, record) => {
      await documents.put(keys.update(record.stackId, record.id), record);
      await markPreview(blobs, record);
      live.note(stack, record);
    },
    findPreviews: (stackId, page) => markedPreviews(blobs, documents, stackId, page),
    extendLease: async ({ id }, ms) => {
      live.extend(id, ms);
      return now().getTime();
    },
    base,
    putBase: async ({ stackId, id }, state) =>
      void (await blobs.put(keys.base(stackId, id), Buffer.from(documentText(state)))),
    journal: async (record) => {
      const texts = (await read(record, 'journal')).flatMap(entryTextsOf);
      if (texts.length < (live.logs(record.id)?.acknowledged ?? 0)) throw lostEntries(record.id);
      return texts;
    },
    readFold: async ({ id }) => live.logs(id)?.fold(),
    events: (record) => read(record, 'events'),
    closeLogs: async ({ id }) => live.logs(id)?.close(),
    notes: {
      list: () => documents.list<RunningNote>(keys.running),
      put: (note) => documents.put(keys.note(note.id), note),
      remove: (id) => documents.remove(keys.note(id)),
      adopt: async ({ stack, record }) => adopt(stack, record),
    },
  };
  return { live, updates };
}

/** Returns the journal of the change of an update, or undefined if it has no change. */
async function journalOf(
  organizations: ServedOrganizations,
  { change }: UpdateRecord,
): Promise<
  { readonly in: ServedOrganization['journals']; readonly id: StackId; readonly number: number } | undefined
> {
  if (change?.stack === undefined || change.number === undefined) return undefined;
  const { journals } = await organizations.of(change.stack);
  return { in: journals, id: nameInOrganization(change.stack), number: change.number };
}
