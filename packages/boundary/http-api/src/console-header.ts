/** Header that every call of the console has which changes something. No form of another site can send it. */
export const CONSOLE_HEADER = 'x-cairn-console';
