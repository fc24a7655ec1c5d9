import type { Flags } from '../command-spec.js';

/** The flags of a command for code that serves other commands too: what the command does not declare was not given. */
export function absentFlags(flags: Flags): Flags {
  return {
    has: (name) => flags.has(name),
    text: (name) => (flags.has(name) ? flags.text(name) : undefined),
    list: (name) => (flags.has(name) ? flags.list(name) : []),
    on: (name) => flags.has(name) && flags.on(name),
    count: (name) => (flags.has(name) ? flags.count(name) : undefined),
  };
}
