import type { TokenCredential } from '@azure/identity';

/** A key that never leaves its service: it encrypts and decrypts the few bytes of a data key. */
export interface KeyService {
  /** Encrypts a data key. The result is in the form of the scheme [SEC-5]. One attempt; throws {@link KeyFailure}. */
  wrap(bytes: Uint8Array): Promise<Uint8Array>;
  /** Decrypts what {@link wrap} or another tool made. One attempt; throws {@link KeyFailure}. */
  unwrap(wrapped: Uint8Array): Promise<Uint8Array>;
}

/**
 * Why a call to a key service failed: it asks to slow down (`throttled`), is down (`unavailable`) or too slow
 * (`timeout`), refuses us (`denied`), does not know who we are (`credentials`), has no such usable key (`missing`), did
 * not encrypt this with this key (`wrong-key`), or answers what nobody can make sense of (`protocol`).
 */
export type KeyFailureKind =
  'throttled' | 'unavailable' | 'timeout' | 'denied' | 'credentials' | 'missing' | 'wrong-key' | 'protocol';

/** A failed call. `message`: the service's own words. `retryAfterMs`: how long it asks us to wait. */
export class KeyFailure extends Error {
  override readonly name = 'KeyFailure';

  constructor(
    readonly kind: KeyFailureKind,
    said: string,
    readonly retryAfterMs: number | undefined,
    cause: unknown,
  ) {
    super(said, cause === undefined ? undefined : { cause });
  }
}

/**
 * What a service is opened with. `env`: where endpoints and credentials are found. `azure`: who asks, when that is not
 * what `env` says.
 */
export interface KeyServiceSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly azure?: TokenCredential | undefined;
}
