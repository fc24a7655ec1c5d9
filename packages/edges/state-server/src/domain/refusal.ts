import type { ErrorStatus } from '@cairn/http-api';

/** Answer of a rule that does not allow a call: the status and the text of the error body. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: ErrorStatus,
    readonly text: string,
    /** Seconds after which the caller may try again, if it is a matter of time. */
    readonly retryAfter?: number,
  ) {
    super(text);
  }
}
