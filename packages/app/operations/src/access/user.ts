import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { UnlockSources } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import { envVar, homeDirectory } from '@cairn/workspace';
import type { Env, UserContext } from '@cairn/workspace';
import type { Interaction } from '../interaction.js';

/** Sources of passphrases: the environment, the home, and a user who can be asked. */
interface PassphrasePorts {
  readonly env: Env;
  readonly interaction: Pick<Interaction, 'passphrase'>;
}

/** Returns the user of an operation: the variables, and the home directory from them or from the system. */
export function userOf({ env }: { readonly env: Env }): UserContext {
  return { env, userHome: env['HOME'] ?? homedir() };
}

/** Returns the path of the passphrase made for a user who gave none. */
export function passphraseFile(user: UserContext): string {
  return path.join(homeDirectory(user), 'passphrase');
}

/** Tells whether a passphrase is given by a variable or a variable's file. */
function passphraseGiven(user: UserContext): boolean {
  return (
    envVar(user.env, 'CONFIG_PASSPHRASE') !== undefined ||
    (envVar(user.env, 'CONFIG_PASSPHRASE_FILE') ?? '') !== ''
  );
}

/** Tells whether a passphrase comes from a variable, or from the file in the home. */
export function passphraseFromEnvironment(ports: { readonly env: Env }): boolean {
  const user = userOf(ports);
  return passphraseGiven(user) || existsSync(passphraseFile(user));
}

/** Tells whether Cairn will ask for the passphrase when it needs it. */
export function passphraseIsAsked(ports: PassphrasePorts): boolean {
  return ports.interaction.passphrase !== undefined && !passphraseFromEnvironment(ports);
}

/**
 * Returns the sources of a passphrase: the variables, else the file in the home if there is one, else a user who can be
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
