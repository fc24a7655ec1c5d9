import type { ContainerClient, StoragePipelineOptions } from '@azure/storage-blob';
import type { AzureAddress } from './azure-address.js';

/** Repeating is decided in one place for all vendors: the SDK makes one attempt. */
const PIPELINE: StoragePipelineOptions = { retryOptions: { maxTries: 1 } };

/** The SDK's client for the container of an address. Makes no request. */
export async function azureContainer({
  service,
  container,
  credentials,
}: AzureAddress): Promise<ContainerClient> {
  const sdk = await import('@azure/storage-blob');
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
      const { DefaultAzureCredential } = await import('@azure/identity');
      const machine = new DefaultAzureCredential();
      return new sdk.BlobServiceClient(service, machine, PIPELINE).getContainerClient(container);
    }
  }
}
