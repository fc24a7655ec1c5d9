import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import {
  checkSecretsProvider,
  envFlag,
  isPassphrase,
  loadProject,
  loadStackFile,
  requestedSecretsManager,
  saveStackFile,
  selectStack,
} from '@cairn/workspace';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { withBackend } from './backend.js';
import { stackHere } from '@cairn/operations';
import { passphraseFile, passphraseGiven, unlockSources, userOf } from './user.js';

/** Creates a stack of the project here with a secrets manager of its own, and selects it when asked. */
export async function createStack(
  world: World,
  flags: Flags,
  reference: string,
  options: { readonly select: boolean },
): Promise<number> {
  const project = await loadProject(world.cwd);
  const stack = stackHere(world, reference, project.name);
  const provider = flags.text('secrets-provider') ?? '';
  checkSecretsProvider(provider);
  await withBackend(world, flags, project, async (backend, url) => {
    const file = await loadStackFile(project, stack);
    if (isPassphrase(provider || (file.settings.secretsProvider ?? ''))) await ensurePassphrase(world);
    const choice = await requestedSecretsManager(provider, file.settings, unlockSources(world));
    await choice.manager.crypter();
    await backend.create(
      { project: project.name, stack },
      { type: choice.manager.type, state: choice.manager.state },
    );
    if (choice.changed) await saveStackFile(file, { secrets: choice.settings });
    if (options.select) await selectStack(userOf(world), project, url, qualified(project.name, stack));
  });
  return EXIT.ok;
}

/** The name under which a selection is kept. */
export function qualified(project: string, stack: string): string {
  return `organization/${project}/${stack}`;
}

/**
 * Nobody gave a passphrase and nobody can be asked: that is refused, unless the user has told that one may be made. It
 * is kept in the home, readable by its owner only, and used from then on wherever no other is given. Throws
 * CAIRN-PASSPHRASE-MISSING.
 */
async function ensurePassphrase(world: World): Promise<void> {
  const user = userOf(world);
  const file = passphraseFile(user);
  if (passphraseGiven(user) || world.terminal.interactive || existsSync(file)) return;
  if (!envFlag(world.env, 'GENERATE_PASSPHRASE')) throw missing(file);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, randomBytes(24).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  world.stderr.write(
    `No CAIRN_CONFIG_PASSPHRASE given: made one and keep it in ${file}. Whoever works on this stack needs it.\n`,
  );
}

function missing(file: string): CairnError {
  return cairnError(
    'CAIRN-PASSPHRASE-MISSING',
    'cannot create the stack: there is no passphrase for its secrets',
    {
      hint: `Set CAIRN_CONFIG_PASSPHRASE or CAIRN_CONFIG_PASSPHRASE_FILE; with CAIRN_GENERATE_PASSPHRASE=true one is made and kept in ${file}.`,
    },
  );
}
