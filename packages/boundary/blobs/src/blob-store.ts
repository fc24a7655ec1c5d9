import type { Diagnostic } from '@cairn/diagnostics';

/**
 * The contract of every blob store. Keys are relative paths with `/` between parts [STORE-2]: no empty part, no `.` or
 * `..`, no backslash, no control character, no leading or trailing slash, and no last part ending in `.attrs` or
 * `.tmp`, which stores keep for themselves. A key that breaks these rules is a `BugError`: keys are made by our code
 * from names that were checked before.
 *
 * Failures of the medium (no space, no permission, read-only, gone) are rejected promises carrying a `CairnError`
 * whose diagnostic says what was being read or written. Failed conditions are not errors: they are results.
 */

/** Opaque mark of one content of a blob. Equal marks mean equal bytes; it is only compared, never parsed. */
export type BlobVersion = string;

/** One blob as read. `modified`: milliseconds since the epoch. */
export interface Blob {
  readonly bytes: Uint8Array;
  readonly version: BlobVersion;
  readonly modified: number;
}

/** One row of a listing. `size`: bytes. `modified`: milliseconds since the epoch. */
export interface BlobInfo {
  readonly key: string;
  readonly size: number;
  readonly modified: number;
}

/**
 * When a put may happen: always (no condition), only when nothing is there, or only while the content is still
 * `ifVersion`.
 */
export interface PutCondition {
  readonly ifAbsent?: boolean;
  readonly ifVersion?: BlobVersion;
}

/** Why a condition did not hold: there is a blob already, there is none, or it has another content. */
export type PreconditionReason = 'exists' | 'missing' | 'changed';

/** The condition did not hold and nothing was changed. */
interface PreconditionFailed {
  readonly ok: false;
  readonly reason: PreconditionReason;
}

export type PutResult = { readonly ok: true; readonly version: BlobVersion } | PreconditionFailed;

/** `existed: false`: there was nothing to delete, which is not an error here. */
export type DeleteResult = { readonly ok: true; readonly existed: boolean } | PreconditionFailed;

/** When a copy may happen: always, or only while the content under the source key is still `ifVersion`. */
export interface CopyCondition {
  readonly ifVersion?: BlobVersion | undefined;
}

/**
 * `missing`: there is no blob under the source key. `changed`: it has another content than the one that was to be
 * copied.
 */
export type CopyResult =
  { readonly ok: true } | { readonly ok: false; readonly reason: 'missing' | 'changed' };

/**
 * An open, append-only blob with one writer. Appends may overlap: they reach the medium in call order, and those made
 * while a flush runs share the next one (group commit).
 */
export interface Segment {
  readonly key: string;
  /** Bytes that are durable so far. */
  readonly durableSize: number;
  /**
   * Resolves when the bytes, and all bytes appended before them, are durable. The buffer must not be altered before
   * that. After one failed append the segment is broken: that append and every later one reject with the same error,
   * and what was durable before stays as it was.
   */
  append(bytes: Uint8Array): Promise<void>;
  /**
   * Waits for appends under way, then releases the segment. Safe to call twice. Appending afterwards is a `BugError`.
   */
  close(): Promise<void>;
}

/**
 * `exclusive`: the segment must not exist yet; the result is `exists` when it does. That is what fences a stale writer
 * [JRN-8].
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
  /** The address in a form fit for people: no credentials in it. */
  readonly url: string;
  /** Every call is a request over a network: who polls such a store looks less often. */
  readonly remote?: boolean;
  /** The blob under the key, or undefined when there is none. A segment reads as the bytes appended so far. */
  get(key: string): Promise<Blob | undefined>;
  /**
   * The bytes from an offset on; empty when the blob is not longer, undefined when there is none. Only stores that need
   * not read the whole blob for it have it.
   */
  getFrom?(key: string, offset: number): Promise<Uint8Array | undefined>;
  /**
   * Writes the whole blob if the condition holds. Both conditions at once are a `BugError`. Where the answer to a
   * conditional put was lost, the same bytes found there count as written: contents that must tell two writers apart
   * carry something of their own.
   */
  put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<PutResult>;
  /**
   * Every blob whose key begins with the prefix, in ascending order of key (UTF-8 bytes). The prefix need not end at a
   * `/`.
   */
  list(prefix: string): Promise<readonly BlobInfo[]>;
  /**
   * Names directly in a folder, of blobs and of folders, in no order; the folder ends at a `/`. Only stores that have
   * folders have it: there it is one look, whatever lies below. Elsewhere {@link BlobStore.list} is one request as
   * well.
   */
  names?(folder: string): Promise<readonly string[]>;
  /** Removes an empty folder. Only stores that have folders have it, and it may leave one that is in use. */
  removeFolder?(folder: string): Promise<void>;
  /**
   * Removes what killed processes have left, temporary files and locks of single writes, where the store keeps such
   * things and in `folder`. Absent: the store has none.
   */
  sweep?(folder: string): Promise<void>;
  /** Deletes the blob if its content is still `ifVersion`, or in any case without it. */
  delete(key: string, condition?: { readonly ifVersion?: BlobVersion }): Promise<DeleteResult>;
  /** Writes the bytes of `from` under `to`, over what is there, if the condition holds; else nothing is changed. */
  copy(from: string, to: string, condition?: CopyCondition): Promise<CopyResult>;
  /** Creates a segment for appending; its creation is durable before the promise resolves. */
  openSegment(key: string, options: SegmentOptions): Promise<OpenSegmentResult>;
  /**
   * Ends a segment for good, whoever has it open: when this resolves, what reads of it is all that ever will, and every
   * append that was not durable by then fails with `CAIRN-LEASE-LOST`. For those who take a segment over. A missing
   * segment stays missing.
   */
  fenceSegment?(key: string): Promise<void>;
  /**
   * Learns, before the first write, whether conditions hold here; `scratch` is a key for that and nothing else, which
   * stays. Answers with warnings for the user. Only stores of which that is not known beforehand.
   */
  checkWrites?(scratch: string): Promise<readonly Diagnostic[]>;
  /** Releases what the store holds open. Segments are closed by their own. */
  close(): Promise<void>;
}
