import { BugError, cairnError } from '@cairn/diagnostics';
import {
  checkSecretsProvider,
  isDeclaredSecret,
  managerOfFile,
  newSecretsChoice,
  saveProjectConfig,
  secureText,
  secretsSettings,
} from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import { unlockSources } from '../access/user.js';
import type { Ports } from '../ports.js';
import type { ParsedConfigValue } from './config-values.js';

/**
 * Sets a value in the project file, for every stack that does not set it [CFG-16]. The project's own manager seals a
 * secret; the first secret creates it. `provider` is that of a new manager; it defaults to the passphrase.
 */
export async function setProjectValue(
  ports: Ports,
  project: Project,
  { target, secret, tree }: ParsedConfigValue,
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
  const settings = secretsSettings(manager);
  if (settings === undefined) throw new BugError(`no file can name a manager of type ${manager.type}`);
  const sealed = secureText(String(tree), await manager.crypter());
  await saveProjectConfig(project, { key: target.key, tree: sealed }, settings);
}
