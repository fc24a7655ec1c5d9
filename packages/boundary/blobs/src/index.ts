/** Named bytes: get, conditional put, list, delete, and durable append-only segments. */
export type {
  Blob,
  BlobStore,
  BlobVersion,
  BlobEnds,
  CopyCondition,
  CopyResult,
  OpenSegmentResult,
  PutCondition,
  PutResult,
  Segment,
} from './blob-store.js';
export { openBlobStore } from './open.js';
export type { OpenOptions } from './open.js';
export { memoryBlobStore } from './memory-store.js';
export { inFlight } from './in-flight.js';
