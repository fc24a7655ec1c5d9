/** Status of an error answer. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 408 | 409 | 412 | 413 | 415 | 423 | 429 | 431 | 500 | 503;

/** Body of every error answer. Clients decide by `code`, which is the status. */
export interface ErrorBody {
  readonly code: ErrorStatus;
  readonly message: string;
  /** Id of the request, which the log of the service has too. */
  readonly requestId?: string;
}

const PHRASES: Readonly<Record<ErrorStatus, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  423: 'Locked',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Returns an error body. Its message begins with the phrase of the status, as clients expect. */
export function errorBody(code: ErrorStatus, text: string, requestId?: string): ErrorBody {
  const message = `${PHRASES[code]}: ${text}`;
  return { code, message, ...(requestId !== undefined && { requestId }) };
}

/** Texts that clients match to recognise an error. */
export const MATCHED_TEXTS = {
  /** 400 of a removal without force. */
  hasResources: 'Stack still contains resources.',
  /** 409 of a creation; the name of the stack comes before it. */
  alreadyExists: 'already exists',
  /** 409 of a start. More text may follow. */
  anotherUpdate: 'Another update is currently in progress.',
} as const;
