import type { Flags } from '../commands/command-spec.js';

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

/** The flags as if one of them had not been given. */
export function flagsWithout(flags: Flags, left: string): Flags {
  return {
    has: (name) => flags.has(name),
    text: (name) => (name === left ? undefined : flags.text(name)),
    list: (name) => (name === left ? [] : flags.list(name)),
    on: (name) => name !== left && flags.on(name),
    count: (name) => (name === left ? undefined : flags.count(name)),
  };
}
