import type { Diagnostic } from '@cairn/diagnostics';

/**
 * The contract of every blob store. Keys are relative paths with `/` between parts [STORE-2]. They have no empty part,
 * no `.` or `..`, no backslash, no control character, and no leading or trailing slash. No last part ends in `.attrs`
 * or `.tmp`, which stores reserve for themselves. A key that breaks these rules is a `BugError`: Cairn makes keys from
 * names that were checked before.
 * Failures of the medium (no space, no permission, read-only, removed) are rejected promises with a `CairnError` whose
 * diagnostic names the read or write that failed. Failed conditions are not errors but results.
 */

/** Opaque mark of one content of a blob. Equal marks mean equal bytes. It is only compared, never parsed. */
export type BlobVersion = string;

/** Blob as read. `modified` is in milliseconds since the epoch. */
export interface Blob {
  readonly bytes: Uint8Array;
  readonly version: BlobVersion;
  readonly modified: number;
}

/** Beginning and end of a blob, which overlap in a short one, and its size in bytes. */
export interface BlobEnds {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly size: number;
}

/**
 * Row of a listing. `size` is in bytes, `modified` in milliseconds since the epoch. `version` is that of the content,
 * if the store knows it without a further request.
 */
export interface BlobInfo {
  readonly key: string;
  readonly size: number;
  readonly modified: number;
  readonly version?: BlobVersion;
}

/** Condition of a put: none, only if nothing exists, or only while the content is still `ifVersion`. */
export interface PutCondition {
  readonly ifAbsent?: boolean;
  readonly ifVersion?: BlobVersion;
}

/** Reason why a condition did not hold: a blob exists already, there is none, or it has another content. */
export type PreconditionReason = 'exists' | 'missing' | 'changed';

/** Result: the condition did not hold and nothing was changed. */
interface PreconditionFailed {
  readonly ok: false;
  readonly reason: PreconditionReason;
}

export type PutResult = { readonly ok: true; readonly version: BlobVersion } | PreconditionFailed;

/** With `existed: false` there was nothing to delete, which is not an error here. */
export type DeleteResult = { readonly ok: true; readonly existed: boolean } | PreconditionFailed;

/**
 * Condition of a deletion: none, or only while the content is still `ifVersion`. `segment: false` says that the blob is
 * no segment, so that a store of objects need not look for parts. It then may not know if the blob existed.
 */
export interface DeleteCondition {
  readonly ifVersion?: BlobVersion;
  readonly segment?: false;
}

/** Condition of a copy: none, or only while the content under the source key is still `ifVersion`. */
export interface CopyCondition {
  readonly ifVersion?: BlobVersion | undefined;
}

/** `missing`: there is no blob under the source key. `changed`: it has another content than requested. */
export type CopyResult =
  { readonly ok: true } | { readonly ok: false; readonly reason: 'missing' | 'changed' };

/**
 * Open, append-only blob with one writer. Appends may overlap: they reach the medium in call order, and those made
 * during a flush share the next one (group commit).
 */
export interface Segment {
  readonly key: string;
  /** Number of durable bytes so far. */
  readonly durableSize: number;
  /**
   * Resolves when the bytes, and all bytes appended before them, are durable. The buffer must not be altered before
   * that. One failed append breaks the segment: that append and every later one reject with the same error. Bytes that
   * were durable before remain unchanged.
   */
  append(bytes: Uint8Array): Promise<void>;
  /**
   * Waits for appends under way, then releases the segment. Safe to call twice. Appending afterwards is a `BugError`.
   */
  close(): Promise<void>;
}

/**
 * `exclusive`: the segment must not exist yet; otherwise the result is `exists`. This fences a stale writer [JRN-8].
 */
export interface SegmentOptions {
  readonly create: 'exclusive';
}

export type OpenSegmentResult =
  { readonly ok: true; readonly segment: Segment } | { readonly ok: false; readonly reason: 'exists' };

/**
 * Named bytes. Every successful write is durable when its promise resolves. A reader sees a blob whole or not at all.
 */
export interface BlobStore {
  /** Address for display, without credentials. */
  readonly url: string;
  /** True if every call is a network request, so that polling should be less frequent. */
  readonly remote?: boolean;
  /** Returns the blob under the key, or undefined if there is none. A segment reads as the bytes appended so far. */
  get(key: string): Promise<Blob | undefined>;
  /**
   * Returns the bytes from an offset on: empty if the blob is not longer, undefined if there is none. Only for stores
   * that need not read the whole blob for it.
   */
  getFrom?(key: string, offset: number): Promise<Uint8Array | undefined>;
  /**
   * Returns the first and the last `most` bytes of a blob, or undefined if there is none. Only for stores that need not
   * read the whole blob for it.
   */
  getEnds?(key: string, most: number): Promise<BlobEnds | undefined>;
  /**
   * Returns a blob that is no segment with its first `most` bytes only, and the version of all of it. Only for stores
   * where that is one request and listings have versions.
   */
  getStart?(key: string, most: number): Promise<Blob | undefined>;
  /**
   * Writes the whole blob if the condition holds. Both conditions at once are a `BugError`. If the answer to a
   * conditional put was lost, the same bytes found there count as written. Contents that must distinguish two writers
   * need a unique part.
   */
  put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<PutResult>;
  /**
   * Lists every blob whose key begins with the prefix, in ascending order of key (UTF-8 bytes). The prefix need not end
   * at a `/`.
   */
  list(prefix: string): Promise<readonly BlobInfo[]>;
  /**
   * Lists names of blobs and folders directly in a folder, in no order; the folder ends at a `/`. Only for stores that
   * have folders: there it is one request, whatever lies below. Elsewhere {@link BlobStore.list} is one request as
   * well. A folder that has not changed may give the same array again.
   */
  names?(folder: string): Promise<readonly string[]>;
  /** Removes an empty folder. Only for stores that have folders. It may leave one that is in use. */
  removeFolder?(folder: string): Promise<void>;
  /**
   * Removes remains of killed processes from the store's own folders and from `folder`: temporary files and locks of
   * single writes. Absent if the store has none.
   */
  sweep?(folder: string): Promise<void>;
  /** Deletes the blob if its content is still `ifVersion`, or in any case without `ifVersion`. */
  delete(key: string, condition?: DeleteCondition): Promise<DeleteResult>;
  /**
   * Writes the bytes of `from` to `to`, over an existing blob, if the condition holds; otherwise nothing is changed.
   */
  copy(from: string, to: string, condition?: CopyCondition): Promise<CopyResult>;
  /** Creates a segment for appending; its creation is durable before the promise resolves. */
  openSegment(key: string, options: SegmentOptions): Promise<OpenSegmentResult>;
  /**
   * Ends a segment for good, whichever process has it open. After this resolves, its content never grows. Every append
   * that was not durable by then fails with `CAIRN-LEASE-LOST`. For processes that take over a segment. A missing
   * segment remains missing.
   */
  fenceSegment?(key: string): Promise<void>;
  /**
   * Finds out, before the first write, if conditions hold here. `scratch` is a key for that purpose only; its blob
   * remains. Returns warnings for the user. Only for stores where this is not known in advance.
   */
  checkWrites?(scratch: string): Promise<readonly Diagnostic[]>;
  /** Releases the store's open resources, with the segments that are still open. */
  close(): Promise<void>;
}
