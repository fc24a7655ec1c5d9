import type { EditKey, WrappedKey } from '../../crypto/stack-keys.js';
import type { Documents } from './documents.js';

/** Record of a stack or a state, with its wrapped data key. */
interface KeyedRecord {
  readonly id: string;
  readonly key: WrappedKey;
}

/** Stores a record. The data key of a record with the same id stays, which another process may have sealed again. */
export async function putKeyedRecord<T extends KeyedRecord>(
  documents: Documents,
  key: string,
  record: T,
): Promise<void> {
  await documents.edit<T>(key, async (known) =>
    known?.id === record.id ? { ...record, key: known.key } : record,
  );
}

/** Replaces the data key of a record, unless `edit` returns undefined. Returns true if it was replaced. */
export function editKeyOfRecord(documents: Documents, key: string, edit: EditKey): Promise<boolean> {
  return documents.edit<KeyedRecord>(key, async (record) => {
    const edited = record && (await edit(record.id, record.key));
    return record && edited && { ...record, key: edited };
  });
}
