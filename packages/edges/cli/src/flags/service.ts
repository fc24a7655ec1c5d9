import type { FlagSpec } from './flag-spec.js';

/** Store of the state service. */
export const storeFlag = {
  name: 'store',
  value: 'url',
  summary: 'Store of the service: file://, s3://, gs://, azblob:// or postgres://',
} as const satisfies FlagSpec;

/** Place for states beside a database. */
export const blobsFlag = {
  name: 'blobs',
  value: 'url',
  summary: 'Place for states beside a store in PostgreSQL: file://, s3://, gs:// or azblob://',
} as const satisfies FlagSpec;

/** Organization of the state service. */
export const orgFlag = {
  name: 'org',
  value: 'organization',
  summary: 'Organization (default: organization)',
} as const satisfies FlagSpec;
