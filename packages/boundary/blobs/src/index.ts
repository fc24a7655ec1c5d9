/** Named bytes: get, conditional put, list, delete, and durable append-only segments. */
export type {
  Blob,
  BlobInfo,
  BlobStore,
  BlobVersion,
  CopyCondition,
  CopyResult,
  DeleteResult,
  OpenSegmentResult,
  PreconditionFailed,
  PreconditionReason,
  PutCondition,
  PutResult,
  Segment,
  SegmentOptions,
} from './blob-store.js';
export { openBlobStore } from './open.js';
export type { OpenOptions } from './open.js';
export { memoryBlobStore } from './memory-store.js';
export type { MemoryStoreOptions } from './memory-store.js';
export { ObjectBlobStore } from './object/object-store.js';
export type { ObjectStoreOptions } from './object/object-store.js';
export type { ListPage, ObjectClient, ObjectFailureKind } from './object/object-client.js';
export { inFlight } from './in-flight.js';
