import { fail, isCairnError } from '@cairn/diagnostics';
import { decodeBase64 } from '../base64.js';
import type { Crypter } from '../crypter.js';

/** Plaintext of the verifier. The word belongs to the format [SEC-3]. */
const VERIFIER_TEXT = 'pulumi';

/** The parts of a salt state string: `v1:<base64 salt>:<verifier>`. `text` is the string as it was read. */
export interface SaltState {
  readonly text: string;
  readonly salt: Uint8Array;
  readonly verifier: string;
}

/** Parses the salt state string of `encryptionsalt` or of the manager's state. Fails with `CAIRN-SECRETS-MALFORMED`. */
export function parseSaltState(text: string): SaltState {
  const first = text.indexOf(':');
  const second = text.indexOf(':', first + 1);
  if (first < 0 || second < 0) return malformed('it does not have the form v1:salt:verifier');
  if (text.slice(0, first) !== 'v1') return malformed('its format version is not v1');
  const salt = decodeBase64(text.slice(first + 1, second));
  if (salt === undefined || salt.length === 0) return malformed('its salt is not base64');
  return { text, salt, verifier: text.slice(second + 1) };
}

/** Returns the salt state string for a new salt; `crypter` is the one derived from it. */
export function makeSaltState(salt: Uint8Array, crypter: Crypter): string {
  return `v1:${Buffer.from(salt).toString('base64')}:${crypter.encrypt(VERIFIER_TEXT)}`;
}

/** Tells whether the salt state was made with this crypter, that is, whether the passphrase was right. */
export function isVerified(state: SaltState, crypter: Crypter): boolean {
  try {
    return crypter.decrypt(state.verifier) === VERIFIER_TEXT;
  } catch (thrown) {
    if (isCairnError(thrown)) return false;
    throw thrown;
  }
}

/** Returns the manager's state for a salt state string. It is compact JSON, because its bytes are compared [SEC-1]. */
export function saltStateJson(text: string): string {
  return JSON.stringify({ salt: text });
}

/** Returns the salt state string in a manager's state. Fails with `CAIRN-SECRETS-MALFORMED`. */
export function saltOfStateJson(json: string | undefined): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json ?? '');
  } catch (thrown) {
    return malformed('its settings are not JSON', thrown);
  }
  const salt = typeof parsed === 'object' && parsed !== null && 'salt' in parsed ? parsed.salt : undefined;
  return typeof salt === 'string' ? salt : malformed('its settings have no "salt"');
}

function malformed(reason: string, cause?: unknown): never {
  return fail(
    'CAIRN-SECRETS-MALFORMED',
    `cannot read the salt of the passphrase secrets manager: ${reason}`,
    { hint: 'Restore "encryptionsalt" in the stack file, or "secrets_providers" in the state, from a copy.' },
    cause,
  );
}
