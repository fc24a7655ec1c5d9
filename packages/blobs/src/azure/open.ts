import type { BlobStore } from '../blob-store.js';
import { maskedUrl } from '../object/bucket-url.js';
import type { Environment } from '../object/environment.js';
import { ObjectBlobStore } from '../object/object-store.js';
import type { RetryPorts } from '../object/retrying.js';
import { azureSecrets, parseAzureAddress } from './azure-address.js';
import { AzureClient } from './azure-client.js';
import { azureContainer } from './azure-service.js';

/** `timeLimitMs`, `pageSize`, `retry`: for tests. */
export interface OpenAzureOptions {
  readonly env?: Environment;
  readonly timeLimitMs?: number;
  readonly pageSize?: number;
  readonly retry?: RetryPorts;
}

/** Opens the store of an `azblob://` address. No request is made before the first use. */
export async function openAzure(url: string, options: OpenAzureOptions = {}): Promise<BlobStore> {
  const { timeLimitMs, pageSize, retry } = options;
  const address = parseAzureAddress(url, options.env ?? process.env);
  const secrets = azureSecrets(address.credentials);
  const client = new AzureClient({
    url: maskedUrl(url),
    container: () => azureContainer(address),
    containerName: address.container,
    mask: (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '****'), text),
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
  });
  return new ObjectBlobStore(client, { prefix: address.prefix, ...(retry === undefined ? {} : { retry }) });
}
