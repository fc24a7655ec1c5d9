import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { UnlockSources } from '@cairn/crypters';
import { envFlag, envVar, homeDirectory } from '@cairn/workspace';
import type { UserContext } from '@cairn/workspace';
import { askSecret, readLine } from '../terminal/prompt.js';
import type { World } from '../world.js';
import { cairnError } from '@cairn/diagnostics';

/** The user of a command: the variables and the home directory that they or the system name. */
export function userOf(world: World): UserContext {
  return { env: world.env, userHome: world.env['HOME'] ?? homedir() };
}

/** Where the passphrase made for a user who gave none is kept. */
export function passphraseFile(user: UserContext): string {
  return path.join(homeDirectory(user), 'passphrase');
}

/** Whether a passphrase is given by a variable or a variable's file. */
export function passphraseGiven(user: UserContext): boolean {
  return (
    envVar(user.env, 'CONFIG_PASSPHRASE') !== undefined ||
    (envVar(user.env, 'CONFIG_PASSPHRASE_FILE') ?? '') !== ''
  );
}

/**
 * Whether a passphrase can be asked for: `CAIRN_TEST_PASSPHRASE` and `PULUMI_TEST_PASSPHRASE` make it so without a
 * terminal [SEC-4].
 */
function canAsk(world: World): boolean {
  return world.terminal.interactive || envFlag(world.env, 'TEST_PASSPHRASE');
}

async function answerOf(world: World, message: string): Promise<string | undefined> {
  world.stderr.write(`${message}: `);
  return readLine(world);
}

/** Whether whoever needs the passphrase will ask for it on the terminal. */
export function passphraseIsAsked(world: World): boolean {
  const user = userOf(world);
  return canAsk(world) && !passphraseGiven(user) && !existsSync(passphraseFile(user));
}

/**
 * Where a passphrase may come from: the variables, else the file in the home when there is one, else a prompt when
 * there is a terminal.
 */
export function unlockSources(world: World): UnlockSources {
  const user = userOf(world);
  const file = passphraseFile(user);
  const env =
    passphraseGiven(user) || !existsSync(file)
      ? world.env
      : { ...world.env, CAIRN_CONFIG_PASSPHRASE_FILE: file };
  if (!canAsk(world)) return { env };
  return {
    env,
    prompt: async (message) => {
      const answer = world.terminal.interactive
        ? await askSecret(world, message)
        : await answerOf(world, message);
      if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'no passphrase given');
      return answer;
    },
  };
}
