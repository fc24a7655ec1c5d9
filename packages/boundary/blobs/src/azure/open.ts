import type { ContainerClient, StoragePipelineOptions } from '@azure/storage-blob';
import type { BlobStore } from '../blob-store.js';
import { maskedUrl } from '../object/bucket-url.js';
import type { Environment } from '../object/environment.js';
import { ObjectBlobStore } from '../object/object-store.js';
import type { ObjectRetryPorts } from '../object/retrying.js';
import { azureSecrets, parseAzureAddress } from './azure-address.js';
import type { AzureAddress } from './azure-address.js';
import { AzureClient } from './azure-client.js';

/** `timeLimitMs`, `pageSize` and `retry` are for tests. */
export interface OpenAzureOptions {
  readonly env?: Environment;
  readonly timeLimitMs?: number;
  readonly pageSize?: number;
  readonly retry?: ObjectRetryPorts;
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

/** Options for one attempt by the SDK: retries are decided in one place for all vendors. */
const PIPELINE: StoragePipelineOptions = { retryOptions: { maxTries: 1 } };

/** Returns the SDK's client for the container of an address. Makes no request. */
async function azureContainer({ service, container, credentials }: AzureAddress): Promise<ContainerClient> {
  const sdk = await import('./sdk.js');
  switch (credentials.from) {
    case 'key': {
      const key = new sdk.StorageSharedKeyCredential(credentials.account, credentials.key);
      return new sdk.BlobServiceClient(service, key, PIPELINE).getContainerClient(container);
    }
    case 'sas': {
      const anonymous = new sdk.AnonymousCredential();
      const signed = `${service}?${credentials.token}`;
      return new sdk.BlobServiceClient(signed, anonymous, PIPELINE).getContainerClient(container);
    }
    case 'default': {
      const machine = new sdk.DefaultAzureCredential();
      return new sdk.BlobServiceClient(service, machine, PIPELINE).getContainerClient(container);
    }
  }
}
