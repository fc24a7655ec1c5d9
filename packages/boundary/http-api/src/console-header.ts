export { consolePath, pathBelow } from './console-address.js';
export type { ConsolePage } from './console-address.js';

/** Header that every call of the console has which changes something. No form of another site can send it. */
export const CONSOLE_HEADER = 'x-cairn-console';
