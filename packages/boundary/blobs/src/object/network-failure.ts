import { messageOf } from '@cairn/diagnostics';
import type { ObjectFailureKind } from './object-client.js';
import { ObjectFailure } from './object-client.js';

const UNAVAILABLE = [
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  // Other processes release sockets and files.
  'EMFILE',
  'ENFILE',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'REQUEST_SEND_ERROR',
  'ERR_STREAM_PREMATURE_CLOSE',
];
const TIMEOUT = [
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
];

/** Messages of libraries that have no code for it. */
const CUT_OFF =
  /^(aborted|terminated|other side closed|socket hang up|Parse Error|Error reading response as text)/;

/**
 * Converts the error of a request that got no whole answer. Codes are searched in the error and in its causes. A
 * failure that is not known to be temporary, e.g. an untrusted certificate, is `protocol`. The error itself is not
 * kept: libraries put the request into it, with its authorization.
 */
export function networkFailure(thrown: unknown): ObjectFailure {
  return new ObjectFailure(kindOf(thrown), wordsOf(thrown));
}

function kindOf(thrown: unknown): ObjectFailureKind {
  for (const error of chain(thrown)) {
    if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
    if (TIMEOUT.includes(String(error.code))) return 'timeout';
    if (UNAVAILABLE.includes(String(error.code))) return 'unavailable';
    if (CUT_OFF.test(error.message)) return 'unavailable';
  }
  return 'protocol';
}

function wordsOf(thrown: unknown): string {
  const words = [...chain(thrown)].map((error) => error.message).filter((text) => text !== '');
  return words.at(-1) ?? messageOf(thrown);
}

function* chain(thrown: unknown): Generator<{ name: string; message: string; code?: unknown }> {
  let error = thrown;
  for (let depth = 0; depth < 5 && typeof error === 'object' && error !== null; depth++) {
    const { name, message, code, cause } = error as Record<string, unknown>;
    yield { name: String(name), message: String(message ?? ''), code };
    error = cause;
  }
}
