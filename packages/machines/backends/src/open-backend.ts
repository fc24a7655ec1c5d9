import type { OpenOptions } from '@cairn/blobs';
import type { Backend } from './backend.js';
import type { BackendPorts } from './backend-ports.js';
import { openBucket } from './bucket/open-bucket.js';

/**
 * Opens the backend at an address: a state service (`http:`, `https:`), or a store of blobs. Fails with
 * `CAIRN-BACKEND-URL`.
 */
export async function openBackend(
  url: string,
  ports: BackendPorts,
  options: OpenOptions = {},
): Promise<Backend> {
  if (!/^https?:\/\//i.test(url))
    return openBucket(url, ports, { ...options, otherSchemes: ['http', 'https'] });
  const { openServiceBackend } = await import('./service/entry.js');
  const access = (await ports.serviceAccess?.(url)) ?? {
    token: undefined,
    organization: undefined,
    username: undefined,
  };
  return openServiceBackend(url, ports, access);
}
