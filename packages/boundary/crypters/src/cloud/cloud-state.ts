import { fail } from '@cairn/diagnostics';
import { decodeBase64 } from '../base64.js';

/**
 * A data key wrapped by a key service. `url` is the URL of the key, `wrapped` is base64, and `json` is the exact state
 * of the manager.
 */
export interface CloudState {
  readonly url: string;
  readonly wrapped: string;
  readonly json: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/**
 * Returns the state of a wrapped data key, in the same bytes as other tools write: compact, with characters of HTML
 * escaped [STATE-1] [SEC-1].
 */
export function cloudState(url: string, wrapped: string): CloudState {
  const json = JSON.stringify({ url, encryptedkey: wrapped }).replace(
    /[<>&\u2028\u2029]/g,
    (char) => ESCAPES[char] ?? char,
  );
  return { url, wrapped, json };
}

/** Reads a manager's state and keeps its text unchanged. Fails with `CAIRN-SECRETS-MALFORMED`. */
export function parseCloudState(json: string | undefined): CloudState {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json ?? '');
  } catch (thrown) {
    return malformed('its settings are not JSON', thrown);
  }
  const { url, encryptedkey } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as {
    readonly url?: unknown;
    readonly encryptedkey?: unknown;
  };
  if (typeof url !== 'string' || url === '') return malformed('its settings have no "url"');
  if (typeof encryptedkey !== 'string' || encryptedkey === '')
    return malformed('its settings have no "encryptedkey"');
  return { url, wrapped: encryptedkey, json: json ?? '' };
}

/** Returns the wrapped bytes. Fails with `CAIRN-SECRETS-MALFORMED`. */
export function wrappedBytes({ wrapped }: CloudState): Uint8Array {
  const bytes = decodeBase64(wrapped);
  return bytes === undefined || bytes.length === 0 ? malformed('its encrypted key is not base64') : bytes;
}

function malformed(reason: string, cause?: unknown): never {
  return fail(
    'CAIRN-SECRETS-MALFORMED',
    `cannot read the wrapped key of the cloud secrets manager: ${reason}`,
    { hint: 'Restore "encryptedkey" in the stack file, or "secrets_providers" in the state, from a copy.' },
    cause,
  );
}
