import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { UnlockSources } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import { envVar, homeDirectory } from '@cairn/workspace';
import type { Env, UserContext } from '@cairn/workspace';
import type { Interaction } from '../interaction.js';

/** What passphrases are taken from: the environment, the home, and whoever can be asked. */
interface PassphrasePorts {
  readonly env: Env;
  readonly interaction: Pick<Interaction, 'passphrase'>;
}

/** The user on whose behalf something is done: the variables and the home directory that they or the system name. */
export function userOf({ env }: { readonly env: Env }): UserContext {
  return { env, userHome: env['HOME'] ?? homedir() };
}

/** Where the passphrase made for a user who gave none is kept. */
export function passphraseFile(user: UserContext): string {
  return path.join(homeDirectory(user), 'passphrase');
}

/** Whether a passphrase is given by a variable or a variable's file. */
function passphraseGiven(user: UserContext): boolean {
  return (
    envVar(user.env, 'CONFIG_PASSPHRASE') !== undefined ||
    (envVar(user.env, 'CONFIG_PASSPHRASE_FILE') ?? '') !== ''
  );
}

/** Whether a passphrase comes from a variable, or from the file in the home. */
export function passphraseFromEnvironment(ports: { readonly env: Env }): boolean {
  const user = userOf(ports);
  return passphraseGiven(user) || existsSync(passphraseFile(user));
}

/** Whether whoever needs the passphrase will ask for it. */
export function passphraseIsAsked(ports: PassphrasePorts): boolean {
  return ports.interaction.passphrase !== undefined && !passphraseFromEnvironment(ports);
}

/**
 * Where a passphrase may come from: the variables, else the file in the home when there is one, else whoever can be
 * asked.
 */
export function unlockSources(ports: PassphrasePorts): UnlockSources {
  const user = userOf(ports);
  const file = passphraseFile(user);
  const env =
    passphraseGiven(user) || !existsSync(file)
      ? ports.env
      : { ...ports.env, CAIRN_CONFIG_PASSPHRASE_FILE: file };
  const ask = ports.interaction.passphrase;
  if (ask === undefined) return { env };
  return {
    env,
    prompt: async (message) => {
      const answer = await ask(message);
      if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'no passphrase given');
      return answer;
    },
  };
}
