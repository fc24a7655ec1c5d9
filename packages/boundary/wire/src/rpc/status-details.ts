import type { IncomingHttpHeaders } from 'node:http2';
import { isCairnError, messageOf } from '@cairn/diagnostics';
import { isProviderError } from '../contracts/provider-errors.js';
import { StatusError, isStatusError, statusName, statusNumber } from '../contracts/status.js';
import type { StatusDetail } from '../contracts/status.js';
import { Status } from '../generated/google/rpc/status.js';
import { MalformedMessageError } from '@cairn/protobuf';
import { isWireValueError } from '../values/value-error.js';

/** Trailing metadata with the encoded google.rpc.Status of an error [PROV-16]. */
export const DETAILS_KEY = 'grpc-status-details-bin';

/** Returns the value of a header, the first if there are several. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const TYPE_PREFIX = 'type.googleapis.com/';

/** End of a call on the wire. `details` is an encoded google.rpc.Status, or empty if there are none. */
interface EndStatus {
  readonly code: number;
  readonly message: string;
  readonly details: Uint8Array;
}

/** Returns the error that a client throws for an answer with a status other than OK. Malformed details are left out. */
export function statusError(end: EndStatus): StatusError {
  return new StatusError(statusName(end.code), end.message, undefined, readDetails(end.details));
}

/**
 * Maximum bytes of details in the trailing metadata of a unary call. HTTP/2 in Node neither sends nor accepts a header
 * of more than 64 KiB, and base64 adds a third.
 */
export const TRAILER_DETAIL_BYTES = 40 * 1024;

/**
 * Returns the status that a server answers when a handler throws. Details of more than `limit` bytes are replaced by
 * their brief form, and left out if that is too large as well.
 */
export function endStatus(thrown: unknown, limit = Number.POSITIVE_INFINITY): EndStatus {
  const { status, message, details } = asStatusError(thrown);
  const code = statusNumber(status);
  const whole = writeDetails(code, message, details);
  if (whole.length <= limit) return { code, message, details: whole };
  const brief = details.map(({ type, value, brief: shorter }) => ({ type, value: shorter ?? value }));
  const short = writeDetails(code, message, brief);
  return { code, message, details: short.length <= limit ? short : new Uint8Array() };
}

function asStatusError(thrown: unknown): StatusError {
  if (isStatusError(thrown)) return thrown;
  if (isProviderError(thrown)) return new StatusError(thrown.code, thrown.message, { cause: thrown });
  if (isWireValueError(thrown) || thrown instanceof MalformedMessageError) {
    return new StatusError('INVALID_ARGUMENT', thrown.message, { cause: thrown });
  }
  if (isCairnError(thrown)) {
    const texts = thrown.diagnostics.map((diagnostic) =>
      [diagnostic.summary, ...(diagnostic.causes ?? [])].join(': '),
    );
    return new StatusError('UNKNOWN', texts.join('\n'), { cause: thrown });
  }
  return new StatusError('UNKNOWN', messageOf(thrown), { cause: thrown });
}

function writeDetails(code: number, message: string, details: readonly StatusDetail[]): Uint8Array {
  if (details.length === 0) return new Uint8Array();
  const wrapped = details.map(({ type, value }) => ({ typeUrl: TYPE_PREFIX + type, value }));
  return Status.encode({ code, message, details: wrapped }).finish();
}

function readDetails(bytes: Uint8Array): readonly StatusDetail[] {
  if (bytes.length === 0) return [];
  try {
    return Status.decode(bytes).details.map(({ typeUrl, value }) => ({
      type: typeUrl.slice(typeUrl.lastIndexOf('/') + 1),
      value,
    }));
  } catch (error) {
    if (error instanceof MalformedMessageError) return [];
    throw error;
  }
}
