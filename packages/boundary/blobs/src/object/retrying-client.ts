import type { PutCondition, PutResult } from '../blob-store.js';
import type { ObjectClient } from './object-client.js';
import { retryRequest } from './retrying.js';
import type { ObjectRetryPorts } from './retrying.js';

/**
 * Returns a client that retries calls while that may help. The answer to a conditional put may be lost, and its retry
 * may then find the condition broken. Reading back decides: the same bytes there are this client's.
 */
export function retryingClient(client: ObjectClient, ports: ObjectRetryPorts): ObjectClient {
  const get: ObjectClient['get'] = (key, from, most) =>
    retryRequest(ports, () => client.get(key, from, most));
  const readBack = async (key: string, bytes: Uint8Array, refused: PutResult): Promise<PutResult> => {
    const there = await get(key);
    const ours = there !== undefined && Buffer.compare(there.bytes, bytes) === 0;
    return ours ? { ok: true, version: there.version } : refused;
  };
  const put = (key: string, bytes: Uint8Array, condition?: PutCondition): Promise<PutResult> => {
    let decideByReading = false;
    return retryRequest(ports, async (unsure) => {
      decideByReading = unsure;
      return client.put(key, bytes, condition);
    }).then((result) => (result.ok || !decideByReading ? result : readBack(key, bytes, result)));
  };
  const { deleteMany } = client;
  return {
    url: client.url,
    get,
    put,
    listPage: (prefix, token) => retryRequest(ports, () => client.listPage(prefix, token)),
    delete: (key, condition) =>
      retryRequest(ports, async (unsure) => {
        const result = await client.delete(key, condition);
        // It does not exist any more, and an earlier attempt may have deleted it.
        const gone = result.ok ? !result.existed : result.reason === 'missing';
        return unsure && gone ? { ok: true, existed: true } : result;
      }),
    ...(deleteMany && { deleteMany: (keys) => retryRequest(ports, () => deleteMany.call(client, keys)) }),
    copy: (from, to, condition) => retryRequest(ports, () => client.copy(from, to, condition)),
    close: () => client.close(),
  };
}
