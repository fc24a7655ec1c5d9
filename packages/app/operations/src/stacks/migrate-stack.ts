import { fullStackName, stackNotFound } from '@cairn/backends';
import type { Backend, Migration, StackId } from '@cairn/backends';
import type { Crypter, SecretsManager } from '@cairn/crypters';
import { BugError, cairnError } from '@cairn/diagnostics';
import {
  checkSecretsProvider,
  isPassphrase,
  loadStackFile,
  newSecretsChoice,
  recryptConfig,
  saveStackFile,
  secureTexts,
  storeSelectedStack,
  selectedStack,
  secretsSettings,
} from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import { openChosenBackend, withBackend } from '../access/open-backend.js';
import { projectHere } from '../access/project-here.js';
import { fetchedCrypter, managerOf, newStackSources, openManager, withMade } from '../access/secrets.js';
import { requiredStack } from '../access/stack-choice.js';
import type { StackChoice } from '../access/stack-choice.js';
import { referredStack, stackOn } from '../access/stack-reference.js';
import { passphraseFromEnvironment, unlockSources, userOf } from '../access/user.js';
import { tell } from '../ports.js';
import type { Ports } from '../ports.js';
import { copyStack } from './copy-stack.js';
import { newSeal } from './new-seal.js';

/** Options of a migration from another backend. */
interface MigrateOptions {
  /** Name of the stack here. Defaults to its present name. */
  readonly target?: string | undefined;
  /** `passphrase`, or the URL of a key, for all secrets. By default they stay sealed as they are. */
  readonly secretsProvider?: string | undefined;
  readonly journals?: boolean | undefined;
  /** Accepts an inconsistent state. */
  readonly force?: boolean | undefined;
  /** Called before anything is written. Throws to decline. */
  readonly agree: (from: string, to: string) => Promise<void>;
}

/**
 * Copies a stack from another backend to the chosen one, and locks the stack there: between stores of blobs with its
 * history, else see {@link copyStack}. If its secrets are sealed again, the stack file of the project here follows.
 * Resolves with the stack here.
 */
export async function migrateStack(
  ports: Ports,
  choice: StackChoice,
  sourceUrl: string,
  { target: targetName, secretsProvider, journals = false, force = false, agree }: MigrateOptions,
): Promise<StackId> {
  checkSecretsProvider(secretsProvider ?? '');
  const { project, here } = await projectHere(ports, choice);
  const named =
    choice.stack === undefined
      ? await requiredStack(ports, choice, project)
      : referredStack(ports, choice.stack, project.name);
  const source = await openChosenBackend(ports, choice, { url: sourceUrl, createDirectory: false }, project);
  try {
    return await withBackend(ports, choice, project, async (target, url) => {
      const from = stackOn(source, named);
      const { project: same, stack } = named;
      const to = stackOn(
        target,
        targetName === undefined ? { project: same, stack } : referredStack(ports, targetName, same),
      );
      if (source.url === target.url)
        throw cairnError('CAIRN-USAGE', `the stack is already in ${target.url}`, {
          hint: 'Log in to the target backend, or name it with --backend-url.',
        });
      if (!(await source.exists(from))) throw stackNotFound(from, source.url);
      await agree(`${fullStackName(from)} of ${source.url}`, `${fullStackName(to)} of ${target.url}`);
      const migrate = async (more: Pick<Migration, 'seal' | 'onCopied'>): Promise<void> => {
        const migration = { from, to, journals, force, ...more };
        const [bucket, other] = [source.bucket, target.bucket];
        const isByFile = bucket !== undefined && other !== undefined;
        if (isByFile) return tell(ports, await bucket.migrate(other, migration));
        tell(ports, await copyStack(source, target, migration));
      };
      const { deployment } = await source.read(from, { integrity: 'skip' });
      const manager = deployment && managerOf(ports, deployment);
      const provider = secretsProvider ?? neededProvider(source, target, manager);
      if (provider === undefined) {
        await migrate({ onCopied: async () => undefined });
        await selectWhereNone(ports, project, url, to);
        return to;
      }
      const { usual } = newStackSources(ports, target, to);
      const { manager: next } = await newSecretsChoice(provider, await sourcesOf(ports, provider, usual));
      const crypter = await next.crypter();
      const seal = newSeal(ports, { type: next.type, state: next.state }, crypter);
      const onCopied: Migration['onCopied'] = async (made) => {
        const copied = made === undefined ? next : openManager(ports, made);
        if (here && from.project === project.name) {
          const settings = secretsSettings(copied);
          if (settings === undefined)
            throw new BugError(`no stack file can name a manager of type ${next.type}`);
          await moveStackFile(project, [from.stack, to.stack], settings, manager, await copied.crypter());
        }
      };
      await withMade(next, () => migrate({ seal, onCopied }));
      await selectWhereNone(ports, project, url, to);
      return to;
    });
  } finally {
    await source.close();
  }
}

/** Selects the stack of its project if none is selected. */
async function selectWhereNone(ports: Ports, project: Project, url: string, id: StackId): Promise<void> {
  const user = userOf(ports);
  if (id.project !== project.name) return;
  if ((await selectedStack(user, project, url, () => true)) !== undefined) return;
  await storeSelectedStack(user, project, url, fullStackName(id));
}

/**
 * Returns the provider that a stack needs where it goes, although none is asked for: the key of a state service stays
 * there. Throws CAIRN-USAGE if the target has none of its own.
 */
function neededProvider(
  source: Backend,
  target: Backend,
  manager: SecretsManager | undefined,
): string | undefined {
  if (source.service === undefined || manager?.type !== 'service') return undefined;
  if (target.service !== undefined) return 'default';
  throw cairnError('CAIRN-USAGE', `cannot move the stack: ${source.url} keeps the key of its secrets`, {
    hint: 'Pass --secrets-provider passphrase, or the URL of a key.',
  });
}

/**
 * Returns the sources of a passphrase. One from the environment opens the present secrets, and protects the new ones.
 */
async function sourcesOf(
  ports: Ports,
  provider: string,
  usual: (() => SecretsManager) | undefined,
): Promise<Parameters<typeof newSecretsChoice>[1]> {
  if (provider === 'default' && usual !== undefined) return { ...unlockSources(ports), usual };
  if (!isPassphrase(provider) || passphraseFromEnvironment(ports)) return unlockSources(ports);
  return { env: { ...ports.env, CAIRN_CONFIG_PASSPHRASE: await ports.interaction.newPassphrase() } };
}

/** Writes the new manager into the stack file. Under another name that is another file, and the old one remains. */
async function moveStackFile(
  project: Project,
  [from, to]: readonly [string, string],
  secrets: NonNullable<ReturnType<typeof secretsSettings>>,
  manager: SecretsManager | undefined,
  crypter: Crypter,
): Promise<void> {
  const { config } = (await loadStackFile(project, from)).settings;
  const ciphertexts = [...secureTexts(config)];
  const old = ciphertexts.length === 0 ? crypter : manager && (await fetchedCrypter(manager, ciphertexts));
  if (old === undefined)
    throw cairnError(
      'CAIRN-SECRETS-MALFORMED',
      'the stack file has secrets, but its state does not name a secrets manager',
    );
  await saveStackFile(await loadStackFile(project, to), () => ({
    secrets,
    config: recryptConfig(config, old, crypter),
  }));
}
