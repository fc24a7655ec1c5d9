/** Used part of the vendor's libraries; published packages bundle no more of them. */
export { DefaultAzureCredential } from '@azure/identity';
export { AnonymousCredential, BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
