/** gRPC status names by number. */
export const STATUS_NAMES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

/** Name of a gRPC status. */
export type StatusName = (typeof STATUS_NAMES)[number];

/** A call that ended with a status other than OK. Thrown by handlers to choose the status the peer sees. */
export class StatusError extends Error {
  override readonly name = 'StatusError';

  constructor(
    readonly status: StatusName,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
