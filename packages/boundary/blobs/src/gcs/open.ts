import type { BlobStore } from '../blob-store.js';
import { maskedUrl } from '../object/bucket-url.js';
import type { Environment } from '../object/environment.js';
import { ObjectBlobStore } from '../object/object-store.js';
import type { ObjectRetryPorts } from '../object/retrying.js';
import { parseGcsAddress } from './gcs-address.js';
import { GcsClient } from './gcs-client.js';
import { gcsExchange } from './gcs-exchange.js';
import { gcsIdentity } from './gcs-identity.js';

/** `timeLimitMs`, `pageSize` and `retry` are for tests. */
export interface OpenGcsOptions {
  readonly env?: Environment;
  readonly timeLimitMs?: number;
  readonly pageSize?: number;
  readonly retry?: ObjectRetryPorts;
}

/** Opens the store of a `gs://` address. No request is made before the first use. */
export async function openGcs(url: string, options: OpenGcsOptions = {}): Promise<BlobStore> {
  const env = options.env ?? process.env;
  const { timeLimitMs, pageSize, retry } = options;
  const address = parseGcsAddress(url, env);
  const exchange = gcsExchange({
    endpoint: address.endpoint,
    authorize: gcsIdentity(address),
    env,
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
  });
  const client = new GcsClient({
    url: maskedUrl(url),
    bucket: address.bucket,
    exchange,
    ...(pageSize === undefined ? {} : { pageSize }),
  });
  return new ObjectBlobStore(client, { prefix: address.prefix, ...(retry === undefined ? {} : { retry }) });
}
