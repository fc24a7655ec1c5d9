import { cairnError } from '@cairn/diagnostics';
import type { StackChoice } from '@cairn/operations/stacks';
import type { Flags } from '../command-spec.js';
import { parseDuration } from '../terminal/duration.js';

/** Returns the stack that the flags of a command name. `named` is a reference that takes precedence over the flag. */
export function stackChoice(flags: Flags, named?: string): StackChoice {
  return {
    stack: named ?? textOf(flags, 'stack'),
    backendUrl: textOf(flags, 'backend-url'),
    skipIntegrity: flags.on('disable-integrity-checking'),
    waitForLockMs: waitForLock(flags),
    configFile: textOf(flags, 'config-file'),
  };
}

/** Returns the time to wait for the lock, in milliseconds. Throws CAIRN-USAGE for a text that is not a duration. */
function waitForLock(flags: Flags): number | undefined {
  const text = textOf(flags, 'wait-for-lock');
  const ms = text === undefined ? undefined : parseDuration(text);
  if (text === undefined || ms !== undefined) return ms;
  throw cairnError(
    'CAIRN-USAGE',
    `--wait-for-lock takes a duration such as 90s, 10m or 1h30m, not ${JSON.stringify(text)}`,
  );
}

/** Tells whether a switch is given; one that the command does not declare is not. */
export function isOn(flags: Flags, name: string): boolean {
  return flags.has(name) && flags.on(name);
}

/** Returns the text of a flag; one that the command does not declare has none. */
export function textOf(flags: Flags, name: string): string | undefined {
  return flags.has(name) ? flags.text(name) : undefined;
}

/**
 * Returns the flags that name the project and the stack in a pasted command. Both are omitted if they were not given.
 */
export function stackWords(flags: Flags): string {
  return (['cwd', 'stack'] as const)
    .map((name) => [name, flags.has(name) ? flags.text(name) : undefined] as const)
    .map(([name, value]) => (value === undefined ? '' : ` --${name} ${shellWord(value)}`))
    .join('');
}

/** Returns the text as one word of a command line for a POSIX shell, quoted if necessary. */
function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Tells whether stacks are named with organization and project. */
export function isFull(flags: Flags): boolean {
  return isOn(flags, 'fully-qualify-stack-names');
}
