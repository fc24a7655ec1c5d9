import type {
  Blob,
  BlobInfo,
  BlobVersion,
  CopyCondition,
  CopyResult,
  DeleteResult,
  PutCondition,
  PutResult,
} from '../blob-store.js';

/**
 * One page of a listing, in ascending order of key (UTF-8 bytes). `next`: token of the page after it; absent on the
 * last one.
 */
export interface ListPage {
  readonly rows: readonly BlobInfo[];
  readonly next?: string;
}

/**
 * One vendor's protocol, reduced to what `ObjectBlobStore` needs. Keys are whole object names, prefix of the address
 * included. Every call makes ONE attempt (what a vendor's SDK would repeat by itself is switched off: repeating is the
 * rule of `retrying.ts`) and has a time limit of its own. What goes wrong is an {@link ObjectFailure}; a condition that
 * does not hold is a result.
 *
 * Versions are the server's mark of one content (ETag, generation). `modified` of a read and of a listing agree: where
 * one of them is only told in whole seconds, both are.
 */
export interface ObjectClient {
  /** The address as typed, credentials masked. */
  readonly url: string;
  /** The object, or its bytes from `from` on (none when it is not longer); undefined when there is none. */
  get(key: string, from?: number): Promise<Blob | undefined>;
  /**
   * Writes the whole object if the condition holds, decided by the server. For `ifVersion` the reason may be `changed`
   * where the server does not tell it from `missing`.
   */
  put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<PutResult>;
  /** Objects whose name begins with the prefix, beginning after what `token` stands for. */
  listPage(prefix: string, token?: string): Promise<ListPage>;
  /** `existed` is true where the server does not tell. `ifVersion` is decided by the server where it can. */
  delete(key: string, condition?: { readonly ifVersion?: BlobVersion }): Promise<DeleteResult>;
  /**
   * Deletes objects without conditions, in as few requests as it can; missing ones are no failure. Only clients that
   * have it.
   */
  deleteMany?(keys: readonly string[]): Promise<void>;
  /** Copies within the bucket, by the server, which decides on the condition. */
  copy(from: string, to: string, condition?: CopyCondition): Promise<CopyResult>;
  close(): Promise<void>;
}

/** What can go wrong with a request. */
export type ObjectFailureKind =
  | 'throttled'
  | 'unavailable'
  | 'timeout'
  | 'denied'
  | 'credentials-missing'
  | 'credentials-expired'
  | 'no-bucket'
  | 'condition-unsupported'
  | 'clock-skew'
  | 'too-large'
  | 'full'
  | 'protocol';

/**
 * Whether asking again may help, without anybody doing anything about it. A skewed clock is corrected by the SDKs from
 * the server's answer, so that the next attempt is signed with the right time.
 */
const RETRYABLE = {
  throttled: true,
  unavailable: true,
  timeout: true,
  denied: false,
  'credentials-missing': false,
  'credentials-expired': false,
  'no-bucket': false,
  'condition-unsupported': false,
  'clock-skew': true,
  'too-large': false,
  full: false,
  protocol: false,
} as const satisfies Record<ObjectFailureKind, boolean>;

/**
 * `status`: of HTTP. `retryAfterMs`: what the server asked for. `next`: what to do, where the vendor's way is known
 * better than the kind tells. `retryable`: instead of what the kind says.
 */
interface ObjectFailureDetails {
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly next?: string;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * One attempt failed. `message` has the server's own words, untouched and without credentials. After a retryable
 * failure the request may have been carried out all the same.
 */
export class ObjectFailure extends Error {
  override readonly name = 'ObjectFailure';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly next: string | undefined;
  readonly retryable: boolean;

  constructor(
    readonly kind: ObjectFailureKind,
    said: string,
    details: ObjectFailureDetails = {},
  ) {
    super(said, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.next = details.next;
    this.retryable = details.retryable ?? RETRYABLE[kind];
  }
}
