/** Largest message either way, in bytes (pulumirpc-semantics.md B2). */
export const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;
