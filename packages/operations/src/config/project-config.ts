import type { Crypter } from '@cairn/crypters';
import { BugError, cairnError } from '@cairn/diagnostics';
import {
  checkSecretsProvider,
  hasSecure,
  isDeclaredSecret,
  managerOfFile,
  mapSecrets,
  newSecretsChoice,
  saveProjectConfig,
  secureText,
  settingsOf,
} from '@cairn/workspace';
import type { ConfigDeclaration, ConfigTree, Project } from '@cairn/workspace';
import { unlockSources } from '../access/user.js';
import type { Ports } from '../ports.js';
import type { GivenValue } from './config-values.js';

/**
 * Sets a value in the project file, for every stack that does not set it [CFG-16]. A secret is sealed by the project's
 * own manager, which is made with the first one. `provider`: of a new manager; absent: the passphrase.
 */
export async function setProjectValue(
  ports: Ports,
  project: Project,
  { target, secret, tree }: GivenValue,
  provider = 'passphrase',
): Promise<void> {
  if (target.path.length > 0)
    throw cairnError('CAIRN-USAGE', '--project and --path cannot be given together', {
      hint: 'Write the structure into the project file.',
    });
  if (!secret && !isDeclaredSecret(project, target))
    return saveProjectConfig(project, { key: target.key, tree }, undefined);
  checkSecretsProvider(provider);
  const known = project.secrets && (await managerOfFile(project.secrets, unlockSources(ports)));
  const manager = known ?? (await newSecretsChoice(provider, unlockSources(ports))).manager;
  const settings = settingsOf(manager);
  if (settings === undefined) throw new BugError(`no file can name a manager of type ${manager.type}`);
  const sealed = secureText(String(tree), await manager.crypter());
  await saveProjectConfig(project, { key: target.key, tree: sealed }, settings);
}

/**
 * The project with the secrets of its configuration sealed as the stack's are, so that everything that a stack has is
 * opened by one manager [CFG-16].
 */
export async function sealedForStack(
  ports: Ports,
  project: Project,
  stack: () => Promise<Crypter>,
): Promise<Project> {
  const { secrets } = project;
  const declarations = [...project.config];
  if (secrets === undefined || !declarations.some(([, each]) => isSealed(each))) return project;
  const manager = await managerOfFile(secrets, unlockSources(ports));
  if (manager === undefined) return project;
  const [from, to] = await Promise.all([manager.crypter(), stack()]);
  const reseal = (tree: ConfigTree | undefined): ConfigTree | undefined =>
    tree && mapSecrets(tree, (ciphertext) => secureText(from.decrypt(ciphertext), to));
  const config = new Map(
    declarations.map(([key, each]) => [
      key,
      isSealed(each) ? { ...each, value: reseal(each.value), default: reseal(each.default) } : each,
    ]),
  );
  return { ...project, config };
}

function isSealed({ value, default: usual }: ConfigDeclaration): boolean {
  return [value, usual].some((tree) => tree !== undefined && hasSecure(tree));
}
