/** Named bytes: get, conditional put, list, delete, and durable append-only segments. */
export type {
  Blob,
  BlobInfo,
  BlobStore,
  BlobVersion,
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
