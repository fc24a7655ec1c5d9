/** Files, directories and commands on this machine as resources. */
export * from './generated/classes.js';
export type * from './generated/enums.js';
