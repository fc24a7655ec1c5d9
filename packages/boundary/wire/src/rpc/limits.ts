/** Largest message in either direction, in bytes [PLUG-8]. */
export const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;
