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
 * Page of a listing, in ascending order of key (UTF-8 bytes). `next` is the token of the following page; absent on the
 * last one.
 */
export interface ListPage {
  readonly rows: readonly BlobInfo[];
  readonly next?: string;
}

/**
 * Protocol of one vendor, reduced to the needs of `ObjectBlobStore`. Keys are whole object names, including the prefix
 * of the address. Every call makes ONE attempt and has a time limit of its own. Retries of a vendor's SDK are switched
 * off: `retrying.ts` decides about retries. Errors are {@link ObjectFailure}s; a failed condition is a result. Versions
 * are the server's mark of one content (ETag, generation). `modified` of a read and of a listing agree: if one of them
 * has only whole seconds, both do.
 */
export interface ObjectClient {
  /** Address as typed, credentials masked. */
  readonly url: string;
  /**
   * Returns the object, or its bytes from `from` on (none if it is not longer), at most `most` of them. Undefined if
   * there is none.
   */
  get(key: string, from?: number, most?: number): Promise<Blob | undefined>;
  /**
   * Writes the whole object if the condition holds, decided by the server. For `ifVersion` the reason may be `changed`
   * if the server does not distinguish it from `missing`.
   */
  put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<PutResult>;
  /** Lists objects whose name begins with the prefix, beginning after the position of `token`. */
  listPage(prefix: string, token?: string): Promise<ListPage>;
  /** `existed` is true if the server does not report it. The server decides about `ifVersion` if it can. */
  delete(key: string, condition?: { readonly ifVersion?: BlobVersion }): Promise<DeleteResult>;
  /**
   * Deletes objects without conditions, in as few requests as possible; missing ones are not an error. Only for clients
   * that support it.
   */
  deleteMany?(keys: readonly string[]): Promise<void>;
  /** Copies within the bucket, by the server, which decides about the condition. */
  copy(from: string, to: string, condition?: CopyCondition): Promise<CopyResult>;
  close(): Promise<void>;
}

/** Kind of failure of a request. */
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
 * True if a retry may help without any action. The SDKs correct a skewed clock from the server's answer, so that the
 * next attempt is signed with the right time.
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
 * `status` is the HTTP status. `retryAfterMs` is the delay that the server requested. `next` is the hint, if the
 * vendor's way is known better than the kind's. `retryable` overrides the kind's.
 */
interface ObjectFailureDetails {
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly next?: string;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * Error: one attempt failed. `message` has the server's own words, unchanged and without credentials. After a retryable
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
