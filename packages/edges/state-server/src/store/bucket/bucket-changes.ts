import type { BlobStore } from '@cairn/blobs';
import { changeNameOf } from '../../domain/served-change.js';
import type { ServedChange } from '../../domain/served-change.js';
import type { ServedChangeStore } from '../change-store.js';
import { recordTexts } from '../record-texts.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';
import { piecePartsOf } from './piece-parts.js';
import { readPieces } from './pieces.js';

/** Changes in a bucket. Their records are in the pieces of the journals of their updates. */
export function bucketChanges(blobs: BlobStore, documents: Documents): ServedChangeStore {
  const messagesOf = (stackId: string, number: number): string =>
    keys.messages(stackId, changeNameOf(number));
  return {
    changes: (stackId) => documents.list<ServedChange>(keys.changes(stackId)),
    changeNumbers: async (stackId) => {
      const folder = keys.changes(stackId);
      return (await blobs.list(folder)).map(({ key }) => Number(key.slice(folder.length, -'.json'.length)));
    },
    change: (stackId, number) => documents.get<ServedChange>(keys.change(stackId, changeNameOf(number))),
    putChange: (stackId, change) => documents.put(keys.change(stackId, changeNameOf(change.number)), change),
    removeChange: async (stackId, { number, update }) => {
      for (const folder of [keys.log(stackId, update, 'journal'), messagesOf(stackId, number)])
        for (const { key } of await blobs.list(folder)) await blobs.delete(key);
      await blobs.delete(keys.base(stackId, update));
      await documents.remove(keys.change(stackId, changeNameOf(number)));
    },
    changeRecords: async (stackId, { update }, after) => {
      const pieces = await readPieces(blobs, keys.log(stackId, update, 'journal'));
      const parts = pieces.map(piecePartsOf);
      const entries = parts.flatMap((part) => part.entries);
      const records = parts.flatMap((part) => part.records).slice(after);
      return recordTexts(records, (wanted) =>
        Promise.resolve(
          entries.flatMap(({ text, value }) =>
            wanted.has((value as { readonly sequenceID: number }).sequenceID) ? [text] : [],
          ),
        ),
      );
    },
    messages: async (stackId, number) => {
      const found = await documents.list<object>(messagesOf(stackId, number));
      return found.map((message) => JSON.stringify(message));
    },
    addMessage: async (stackId, number, message) => {
      const folder = messagesOf(stackId, number);
      const place = (await blobs.list(folder)).length + 1;
      await blobs.put(`${folder}${String(place).padStart(6, '0')}.json`, Buffer.from(message));
    },
  };
}
