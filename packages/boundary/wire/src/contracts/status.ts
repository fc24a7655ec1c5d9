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

const BRAND = Symbol.for('cairn.status-error');

/** Encoded message with details of an error. */
// [PROV-16]
export interface StatusDetail {
  /** Full name of the message, e.g. `pulumirpc.ErrorResourceInitFailed`. */
  readonly type: string;
  readonly value: Uint8Array;
  /** Short form of the detail, for a transport that cannot carry `value`. */
  readonly brief?: Uint8Array | undefined;
}

/** Error: a call ended with a status other than OK. Handlers throw it to choose the status that the peer sees. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly [BRAND] = true as const;

  constructor(
    readonly status: StatusName,
    message: string,
    options?: ErrorOptions,
    readonly details: readonly StatusDetail[] = [],
  ) {
    super(message, options);
  }
}

/** Recognises a {@link StatusError} of any copy of this package, with the given status if one is named. */
export function isStatusError(value: unknown, status?: StatusName): value is StatusError {
  if (typeof value !== 'object' || value === null || !(BRAND in value)) return false;
  return status === undefined || (value as StatusError).status === status;
}

/** Returns the number of a status. */
export function statusNumber(name: StatusName): number {
  return STATUS_NAMES.indexOf(name);
}

/** Returns the name of a status number; UNKNOWN for a number outside the table. */
export function statusName(code: number): StatusName {
  return STATUS_NAMES[code] ?? 'UNKNOWN';
}
