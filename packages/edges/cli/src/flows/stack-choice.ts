import { cairnError } from '@cairn/diagnostics';
import type { StackChoice } from '@cairn/operations/stacks';
import type { StackFlags } from '../flags/operation.js';
import { parseDuration } from '../terminal/duration.js';

/** Returns the stack that the flags of a command name. `named` is a reference that takes precedence over the flag. */
export function stackChoice(flags: StackFlags, named?: string): StackChoice {
  return {
    stack: named ?? flags.stack,
    backendUrl: flags.backendUrl,
    skipIntegrity: flags.disableIntegrityChecking,
    waitForLockMs: waitForLock(flags),
    configFile: flags.configFile,
  };
}

/** Returns the time to wait for the lock, in milliseconds. Throws CAIRN-USAGE for a text that is not a duration. */
function waitForLock(flags: StackFlags): number | undefined {
  const text = flags.waitForLock;
  const ms = text === undefined ? undefined : parseDuration(text);
  if (text === undefined || ms !== undefined) return ms;
  throw cairnError(
    'CAIRN-USAGE',
    `--wait-for-lock takes a duration such as 90s, 10m or 1h30m, not ${JSON.stringify(text)}`,
  );
}

/**
 * Returns the flags that name the project and the stack in a pasted command. Both are omitted if they were not given.
 */
export function stackWords(flags: StackFlags): string {
  return Object.entries({ cwd: flags.cwd, stack: flags.stack })
    .map(([name, value]) => (value === undefined ? '' : ` --${name} ${shellWord(value)}`))
    .join('');
}

/** Returns the text as one word of a command line for a POSIX shell, quoted if necessary. */
function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Tells whether stacks are named with organization and project. */
export function isFull(flags: StackFlags): boolean {
  return flags.fullyQualifyStackNames;
}
