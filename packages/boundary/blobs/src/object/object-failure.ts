import type { CairnError, ErrorCode } from '@cairn/diagnostics';
import { cairnError } from '@cairn/diagnostics';
import { ObjectFailure } from './object-client.js';
import type { ObjectFailureKind } from './object-client.js';

interface Meaning {
  readonly code: ErrorCode;
  readonly because: string;
  readonly next: string;
}

const AGAIN = 'then run the command again.';

const MEANINGS = {
  throttled: {
    code: 'CAIRN-STORE-UNAVAILABLE',
    because: 'the server keeps asking for fewer requests',
    next: `Wait a while, ${AGAIN}`,
  },
  unavailable: {
    code: 'CAIRN-STORE-UNAVAILABLE',
    because: 'the server could not be reached or failed, even after retries',
    next: `Check the network, the endpoint in the address and the server, ${AGAIN}`,
  },
  timeout: {
    code: 'CAIRN-STORE-UNAVAILABLE',
    because: 'the server did not answer in time',
    next: `Check the network, the endpoint in the address and the server, ${AGAIN}`,
  },
  denied: {
    code: 'CAIRN-STORE-DENIED',
    because: 'permission is denied',
    next: 'Give these credentials the right to list the bucket and to read, write and delete its objects, or use others.',
  },
  'credentials-missing': {
    code: 'CAIRN-STORE-CREDENTIALS',
    because: 'there are no credentials',
    next: `Log in to the vendor or set its environment variables, ${AGAIN}`,
  },
  'credentials-expired': {
    code: 'CAIRN-STORE-CREDENTIALS',
    because: 'the credentials are not accepted: they have expired or are wrong',
    next: `Renew the credentials, ${AGAIN}`,
  },
  'no-bucket': {
    code: 'CAIRN-STORE-NO-BUCKET',
    because: 'there is no such bucket',
    next: `Create it, or correct the name, the region or the endpoint in the address, ${AGAIN}`,
  },
  'condition-unsupported': {
    code: 'CAIRN-STORE-UNCONDITIONAL',
    because: 'the server has no conditional writes',
    next: 'Use a server that has them.',
  },
  'clock-skew': {
    code: 'CAIRN-STORE-CREDENTIALS',
    because: 'the clock of this machine and that of the server differ too much',
    next: `Set this machine's clock, ${AGAIN}`,
  },
  'too-large': {
    code: 'CAIRN-STORE-FULL',
    because: 'the object is too large for the server',
    next: 'Raise the limit of the server, or use another bucket.',
  },
  full: {
    code: 'CAIRN-STORE-FULL',
    because: 'no space is left, or the quota is used up',
    next: `Free space or raise the quota of the bucket, ${AGAIN}`,
  },
  protocol: {
    code: 'CAIRN-STORE-FAILED',
    because: 'the server reported an error',
    next: `Check the address and the server, ${AGAIN}`,
  },
} as const satisfies Record<ObjectFailureKind, Meaning>;

/**
 * Returns the user's error for a request that failed for good. `doing` completes "cannot …". Anything but an {@link
 * ObjectFailure} is returned unchanged: a bug, or a user's error already.
 */
export function objectFailure(thrown: unknown, doing: string, url: string): unknown {
  if (!(thrown instanceof ObjectFailure)) return thrown;
  const { code, because, next } = MEANINGS[thrown.kind];
  return failureOf(code, `cannot ${doing}: ${because}`, thrown, url, thrown.next ?? next);
}

function failureOf(
  code: ErrorCode,
  summary: string,
  thrown: ObjectFailure,
  url: string,
  next: string,
): CairnError {
  const { message, status } = thrown;
  const said = status === undefined ? `${url}: ${message}` : `${url} answered: ${message} (HTTP ${status})`;
  return cairnError(
    code,
    summary,
    {
      causes: [said],
      hint: `${next} What was stored before is intact.`,
    },
    thrown,
  );
}
