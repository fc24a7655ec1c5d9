import { isCairnError } from '@cairn/diagnostics';
import { MATCHED_TEXTS, errorBody } from '@cairn/http-api';
import type { ErrorBody, ErrorStatus } from '@cairn/http-api';
import { Refusal } from '../domain/refusal.js';

/** Status of an answer by the code of a failure below. Others are faults of the service: 500. */
const STATUS_OF: Readonly<Record<string, ErrorStatus>> = {
  'CAIRN-STACK-NOT-FOUND': 404,
  'CAIRN-STACK-EXISTS': 409,
  'CAIRN-STATE-LOCKED': 409,
  'CAIRN-CHANGE-CONFLICT': 409,
  'CAIRN-UNFINISHED': 409,
  'CAIRN-LEASE-LOST': 409,
  'CAIRN-STORE-CONFLICT': 409,
  'CAIRN-STATE-SEALED': 409,
  'CAIRN-NAME-INVALID': 400,
  'CAIRN-USAGE': 404,
  // Trying again does not mend these: the service was started without the key, or may not use it.
  'CAIRN-KEY-WRONG': 409,
  'CAIRN-KEY-DENIED': 409,
  'CAIRN-KEY-CREDENTIALS': 409,
  'CAIRN-KEY-MISSING': 409,
  'CAIRN-KEY-FAILED': 503,
  'CAIRN-KEY-UNAVAILABLE': 503,
  'CAIRN-STORE-FULL': 503,
  'CAIRN-STORE-UNAVAILABLE': 503,
};

/** Returns the body of an error answer. A fault of the service is reported without its cause. */
export function errorAnswer(thrown: unknown, requestId: string): ErrorBody {
  if (thrown instanceof Refusal) return errorBody(thrown.status, thrown.text, requestId);
  const found = isCairnError(thrown) ? thrown.diagnostics[0] : undefined;
  if (found?.code === 'CAIRN-STACK-NOT-EMPTY') return errorBody(400, MATCHED_TEXTS.hasResources, requestId);
  const status = found?.code === undefined ? undefined : STATUS_OF[found.code];
  if (found === undefined || status === undefined)
    return errorBody(500, 'The request failed. The log has the cause.', requestId);
  return errorBody(status, `${found.summary}.`, requestId);
}
