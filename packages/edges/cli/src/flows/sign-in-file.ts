import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { readSignInSettings } from '@cairn/state-server';
import type { SignInSettings } from '@cairn/state-server';
import type { CommandContext } from '../command-context.js';

/** Reads the settings of the sign-in of people. The file of the secret is beside that of the settings. */
export async function signInSettingsIn(
  { cwd }: Pick<CommandContext, 'cwd'>,
  name: string | undefined,
): Promise<SignInSettings | undefined> {
  if (name === undefined) return undefined;
  const file = path.resolve(cwd, name);
  return readSignInSettings(await textOf(file), name, (secret) =>
    textOf(path.resolve(path.dirname(file), secret)),
  );
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    throw cairnError(
      'CAIRN-USAGE',
      `cannot read the settings of the sign-in in ${file}: ${messageOf(thrown)}`,
    );
  }
}
