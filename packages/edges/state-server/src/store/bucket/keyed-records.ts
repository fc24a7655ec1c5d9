import type { EditKey, WrappedKey } from '../../crypto/stack-keys.js';
import { damagedFile } from './documents.js';
import type { Documents } from './documents.js';

/** Record of a stack or a state, with its wrapped data key. */
interface KeyedRecord {
  readonly id: string;
  readonly key: WrappedKey;
}

/** Returns a record. Fails with `CAIRN-STATE-CORRUPT` for one without an id: a new one would have a new data key. */
export async function keyedRecord<T extends KeyedRecord>(
  documents: Documents,
  key: string,
): Promise<T | undefined> {
  return checked(key, await documents.get<T>(key));
}

/** Stores a record. The data key of a record with the same id stays, which another process may have sealed again. */
export async function putKeyedRecord<T extends KeyedRecord>(
  documents: Documents,
  key: string,
  record: T,
): Promise<void> {
  await documents.edit<T>(key, async (stored) => {
    const known = checked(key, stored);
    return known?.id === record.id ? { ...record, key: known.key } : record;
  });
}

/** Replaces the data key of a record, unless `edit` returns undefined. Returns true if it was replaced. */
export function editKeyOfRecord(documents: Documents, key: string, edit: EditKey): Promise<boolean> {
  return documents.edit<KeyedRecord>(key, async (record) => {
    const known = checked(key, record);
    const edited = known && (await edit(known.id, known.key));
    return known && edited && { ...known, key: edited };
  });
}

function checked<T extends KeyedRecord>(key: string, record: T | undefined): T | undefined {
  const { id } = record ?? { id: '' };
  if (typeof id !== 'string') throw damagedFile(key, 'it has no id');
  return record;
}
