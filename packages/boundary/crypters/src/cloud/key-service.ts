import type { TokenCredential } from '@azure/identity';

/** A key that never leaves its service: it encrypts and decrypts the few bytes of a data key. */
export interface KeyService {
  /**
   * Encrypts a data key. The result is in the form of the scheme [SEC-5]. Makes one attempt; throws {@link KeyFailure}.
   */
  wrap(bytes: Uint8Array): Promise<Uint8Array>;
  /**
   * Decrypts the result of {@link wrap}, also if another tool made it. Makes one attempt; throws {@link KeyFailure}.
   */
  unwrap(wrapped: Uint8Array): Promise<Uint8Array>;
}

/**
 * Reasons why a call to a key service failed.
 * - `throttled`: the service asks for fewer requests.
 * - `unavailable`: the service is down.
 * - `timeout`: the service is too slow.
 * - `denied`: the service refuses access.
 * - `credentials`: the service does not recognise the caller.
 * - `missing`: the service has no such usable key.
 * - `wrong-key`: the data was not encrypted with this key.
 * - `protocol`: the answer makes no sense.
 */
export type KeyFailureKind =
  'throttled' | 'unavailable' | 'timeout' | 'denied' | 'credentials' | 'missing' | 'wrong-key' | 'protocol';

/** A failed call. `message` is in the service's own words. `retryAfterMs` is the wait that the service asks for. */
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
 * Inputs for opening a service. `env` contains endpoints and credentials. `azure` is the credential to use in place of
 * the one in `env`.
 */
export interface KeyServiceSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly azure?: TokenCredential | undefined;
}
