import type { PutCondition, PutResult } from '../blob-store.js';
import type { ObjectClient } from './object-client.js';
import { retrying } from './retrying.js';
import type { RetryPorts } from './retrying.js';

/**
 * A client whose calls are repeated while that may help. A conditional put whose answer was lost, and which finds its
 * condition broken when it is repeated, is decided by reading back: the same bytes there are ours.
 */
export function retryingClient(client: ObjectClient, ports: RetryPorts): ObjectClient {
  const get: ObjectClient['get'] = (key, from) => retrying(ports, () => client.get(key, from));
  const readBack = async (key: string, bytes: Uint8Array, refused: PutResult): Promise<PutResult> => {
    const there = await get(key);
    const ours = there !== undefined && Buffer.compare(there.bytes, bytes) === 0;
    return ours ? { ok: true, version: there.version } : refused;
  };
  const put = (key: string, bytes: Uint8Array, condition?: PutCondition): Promise<PutResult> => {
    let decideByReading = false;
    return retrying(ports, async (unsure) => {
      decideByReading = unsure;
      return client.put(key, bytes, condition);
    }).then((result) => (result.ok || !decideByReading ? result : readBack(key, bytes, result)));
  };
  const { deleteMany } = client;
  return {
    url: client.url,
    get,
    put,
    listPage: (prefix, token) => retrying(ports, () => client.listPage(prefix, token)),
    delete: (key, condition) =>
      retrying(ports, async (unsure) => {
        const result = await client.delete(key, condition);
        // It is gone, and an attempt before this one may have done it.
        const gone = result.ok ? !result.existed : result.reason === 'missing';
        return unsure && gone ? { ok: true, existed: true } : result;
      }),
    ...(deleteMany && { deleteMany: (keys) => retrying(ports, () => deleteMany.call(client, keys)) }),
    copy: (from, to, condition) => retrying(ports, () => client.copy(from, to, condition)),
    close: () => client.close(),
  };
}
