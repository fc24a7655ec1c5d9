import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { fullStackName } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import {
  checkSecretsProvider,
  envFlag,
  isPassphrase,
  loadProject,
  loadStackFile,
  requestedSecretsManager,
  saveStackFile,
  storeSelectedStack,
} from '@cairn/workspace';
import { withBackend } from '../access/open-backend.js';
import { newStackSources } from '../access/secrets.js';
import type { StackChoice } from '../access/stack-choice.js';
import { stackHere, stackOn } from '../access/stack-reference.js';
import { passphraseFile, passphraseFromEnvironment, unlockSources, userOf } from '../access/user.js';
import type { Ports } from '../ports.js';

/** Options of a new stack. */
export interface NewStack extends Pick<StackChoice, 'backendUrl' | 'skipIntegrity'> {
  /** `passphrase`, or the URL of a key. Defaults to the setting of the stack's file, else a passphrase. */
  readonly secretsProvider?: string | undefined;
  /** Selects it as the stack of the project. */
  readonly select: boolean;
}

/** Creates a stack of the project here with a secrets manager of its own, and selects it on request. */
export async function createStack(ports: Ports, reference: string, options: NewStack): Promise<StackId> {
  const project = await loadProject(ports.cwd);
  const named = stackHere(ports, reference, project.name);
  const { stack } = named;
  const provider = options.secretsProvider ?? '';
  checkSecretsProvider(provider);
  return withBackend(ports, options, project, async (backend, url) => {
    const id = stackOn(backend, named);
    const file = await loadStackFile(project, stack);
    const { usual } = newStackSources(ports, backend, id);
    const asked = provider || (file.settings.secretsProvider ?? '');
    const hasUsual = usual !== undefined && (asked === '' || asked === 'default');
    if (isPassphrase(asked) && !hasUsual) await ensurePassphrase(ports);
    const sources = { ...unlockSources(ports), usual };
    const choice = await requestedSecretsManager(provider, file.settings, sources);
    await choice.manager.crypter();
    await backend.create(id, { type: choice.manager.type, state: choice.manager.state });
    if (choice.changed) await saveStackFile(file, () => ({ secrets: choice.settings }));
    if (options.select) await storeSelectedStack(userOf(ports), project, url, fullStackName(id));
    return id;
  });
}

/**
 * Makes a passphrase if none is given and no person can be asked. Refuses to, unless the user has allowed it by a
 * variable. The passphrase is kept in the home, readable only by its owner, and used wherever no other is given. Throws
 * CAIRN-PASSPHRASE-MISSING.
 */
async function ensurePassphrase(ports: Ports): Promise<void> {
  if (ports.interaction.attended || passphraseFromEnvironment(ports)) return;
  const file = passphraseFile(userOf(ports));
  if (!envFlag(ports.env, 'GENERATE_PASSPHRASE')) throw missing(file);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, randomBytes(24).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  ports.interaction.notice({ t: 'passphrase-made', file });
}

function missing(file: string): CairnError {
  return cairnError(
    'CAIRN-PASSPHRASE-MISSING',
    'cannot create the stack: there is no passphrase for its secrets',
    {
      hint: `Set CAIRN_CONFIG_PASSPHRASE or CAIRN_CONFIG_PASSPHRASE_FILE; or set CAIRN_GENERATE_PASSPHRASE=true to generate one and store it in ${file}.`,
    },
  );
}
