import { StatusError } from '../contracts/status.js';

/** Largest message in either direction, in bytes [PLUG-8]. */
export const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

/**
 * Largest registration, in bytes. The journal and the state contain its inputs and about the same as outputs in one
 * JSON text. This text is readable even if each byte needs six.
 */
export const MAX_REGISTRATION_BYTES = 40 * 1024 * 1024;

/** Makes the error for `what`, which is larger than its limit. */
export function tooLarge(what: string, bytes: number, most: number): StatusError {
  return new StatusError(
    'RESOURCE_EXHAUSTED',
    `${what} of ${bytes} bytes is larger than the limit of ${most} bytes`,
  );
}
