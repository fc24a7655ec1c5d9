import type { BlobVersion, PreconditionReason, PutCondition } from '../blob-store.js';
import { failedCondition } from '../blob-version.js';
import type { ObjectClient } from './object-client.js';

/**
 * Returns a client for a server without conditional writes: it reads first, then writes. Two writers at the same moment
 * may both find their condition to hold, as with the other tool's locks on any store.
 */
export function lookingClient(client: ObjectClient): ObjectClient {
  const broken = async (key: string, condition: PutCondition): Promise<PreconditionReason | undefined> => {
    if (condition.ifAbsent !== true && condition.ifVersion === undefined) return undefined;
    const current: BlobVersion | undefined = (await client.get(key))?.version;
    return failedCondition(condition, current);
  };
  const deleteMany = client.deleteMany?.bind(client);
  return {
    url: client.url,
    get: (key, from, most) => client.get(key, from, most),
    put: async (key, bytes, condition = {}) => {
      const reason = await broken(key, condition);
      return reason === undefined ? client.put(key, bytes) : { ok: false, reason };
    },
    listPage: (prefix, token) => client.listPage(prefix, token),
    delete: async (key, condition = {}) => {
      const reason = await broken(key, condition);
      return reason === undefined ? client.delete(key) : { ok: false, reason };
    },
    ...(deleteMany && { deleteMany }),
    copy: async (from, to, { ifVersion } = {}) => {
      const there = ifVersion === undefined ? undefined : await client.get(from);
      if (ifVersion !== undefined && there === undefined) return { ok: false, reason: 'missing' };
      return there?.version === ifVersion ? client.copy(from, to) : { ok: false, reason: 'changed' };
    },
    close: () => client.close(),
  };
}
