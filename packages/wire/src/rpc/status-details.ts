import { isCairnError, messageOf } from '@cairn/diagnostics';
import { isProviderError } from '../contracts/provider-errors.js';
import { StatusError, isStatusError, statusName, statusNumber } from '../contracts/status.js';
import type { StatusDetail } from '../contracts/status.js';
import { Status } from '../generated/google/rpc/status.js';
import { MalformedMessageError } from '../protobuf/malformed.js';
import { isWireValueError } from '../values/value-error.js';

/** Trailing metadata that carries the encoded google.rpc.Status of an error (pulumirpc-semantics.md E6). */
export const DETAILS_KEY = 'grpc-status-details-bin';

const TYPE_PREFIX = 'type.googleapis.com/';

/** How a call ended, as it goes over the wire. `details`: encoded google.rpc.Status, empty when there are none. */
export interface EndStatus {
  readonly code: number;
  readonly message: string;
  readonly details: Uint8Array;
}

/** The error a client throws for an answer with a status other than OK. Malformed details are left out. */
export function statusError(end: EndStatus): StatusError {
  return new StatusError(statusName(end.code), end.message, undefined, readDetails(end.details));
}

/** The status a server answers with when a handler throws. */
export function endStatus(thrown: unknown): EndStatus {
  const error = asStatusError(thrown);
  const code = statusNumber(error.status);
  return { code, message: error.message, details: writeDetails(code, error.message, error.details) };
}

function asStatusError(thrown: unknown): StatusError {
  if (isStatusError(thrown)) return thrown;
  if (isProviderError(thrown)) return new StatusError(thrown.code, thrown.message, { cause: thrown });
  if (isWireValueError(thrown) || thrown instanceof MalformedMessageError) {
    return new StatusError('INVALID_ARGUMENT', thrown.message, { cause: thrown });
  }
  if (isCairnError(thrown)) {
    const texts = thrown.diagnostics.map((diagnostic) => [diagnostic.summary, ...(diagnostic.causes ?? [])].join(': '));
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
