import { isCairnError } from '@cairn/diagnostics';
import { MATCHED_TEXTS, errorBody } from '@cairn/http-api';
import type { ErrorBody, ErrorStatus } from '@cairn/http-api';
import { Refusal } from '../domain/refusal.js';

/** Status of an answer by the code of a failure that concerns the caller. Its summary is the message. */
const STATUS_OF: Readonly<Record<string, ErrorStatus>> = {
  'CAIRN-STACK-NOT-FOUND': 404,
  'CAIRN-STACK-EXISTS': 409,
  'CAIRN-STATE-LOCKED': 409,
  'CAIRN-CHANGE-CONFLICT': 409,
  'CAIRN-UNFINISHED': 409,
  'CAIRN-LEASE-LOST': 409,
  'CAIRN-STATE-SEALED': 409,
  'CAIRN-NAME-INVALID': 400,
  'CAIRN-USAGE': 404,
  // Trying again does not mend it: the service was started without the key.
  'CAIRN-KEY-WRONG': 409,
};

const NO_KEY = 'The service cannot use its master key';
const NO_STORE = 'The store of the service does not answer. Try again';

/** Faults of the service that have an answer of their own. Others are 500. Their causes are for the log only. */
const FAULTS: Readonly<Record<string, { readonly status: ErrorStatus; readonly text: string }>> = {
  'CAIRN-KEY-DENIED': { status: 409, text: NO_KEY },
  'CAIRN-KEY-CREDENTIALS': { status: 409, text: NO_KEY },
  'CAIRN-KEY-MISSING': { status: 409, text: NO_KEY },
  'CAIRN-KEY-FAILED': { status: 503, text: NO_KEY },
  'CAIRN-KEY-UNAVAILABLE': { status: 503, text: `${NO_KEY} now. Try again` },
  'CAIRN-STATE-CORRUPT': {
    status: 500,
    text: 'The store of the service has lost or damaged a state{OF}. Older ones may be there: `cairn stack export --version`',
  },
  'CAIRN-STATE-TOO-NEW': {
    status: 500,
    text: 'The state{OF} was stored by a newer version of the software than the service is',
  },
  'CAIRN-STORE-CONFLICT': { status: 503, text: 'Other work holds the store of the service. Try again' },
  'CAIRN-STORE-FULL': { status: 503, text: 'The store of the service is full' },
  'CAIRN-STORE-UNAVAILABLE': { status: 503, text: NO_STORE },
  'CAIRN-STORE-READ-ONLY': { status: 503, text: NO_STORE },
  'CAIRN-STORE-DENIED': { status: 503, text: NO_STORE },
};

/** Error answer. `fault` is the cause if it is the service's own, for the log. */
interface ErrorAnswer {
  readonly body: ErrorBody;
  readonly fault: unknown;
}

/**
 * Returns the answer to a failure. A fault of the service is answered without its cause. `stack`: name of the stack of
 * the call.
 */
export function errorAnswer(thrown: unknown, requestId: string, stack?: string): ErrorAnswer {
  const answer = (status: ErrorStatus, text: string, fault?: unknown): ErrorAnswer => ({
    ...{ body: errorBody(status, text, requestId), fault },
  });
  if (thrown instanceof Refusal) return answer(thrown.status, thrown.text);
  const found = isCairnError(thrown) ? thrown.diagnostics[0] : undefined;
  const code = found?.code ?? '';
  if (code === 'CAIRN-STACK-NOT-EMPTY') return answer(400, MATCHED_TEXTS.hasResources);
  const { status, text } = FAULTS[code] ?? { status: 500, text: 'The request failed' };
  const known = STATUS_OF[code];
  if (found === undefined || known === undefined)
    return answer(status, `${text.replace('{OF}', stackIn(stack))}. The log has the cause.`, thrown);
  return answer(known, `${found.summary}.`, code === 'CAIRN-KEY-WRONG' ? thrown : undefined);
}

function stackIn(stack: string | undefined): string {
  return stack === undefined ? '' : ` of stack '${stack}'`;
}
