import type { Flags } from '../command-spec.js';

/**
 * Wraps a command's flags for code that serves several commands. Flags that the command does not declare count as not
 * given.
 */
export function absentFlags(flags: Flags): Flags {
  return {
    has: (name) => flags.has(name),
    text: (name) => (flags.has(name) ? flags.text(name) : undefined),
    list: (name) => (flags.has(name) ? flags.list(name) : []),
    on: (name) => flags.has(name) && flags.on(name),
    count: (name) => (flags.has(name) ? flags.count(name) : undefined),
  };
}
