import type { Crypter } from '@cairn/crypters';
import { hasSecure, managerOfFile, mapSecrets, secureText } from '@cairn/workspace';
import type { ConfigDeclaration, ConfigTree, Project } from '@cairn/workspace';
import { unlockSources } from '../access/user.js';
import type { Ports } from '../ports.js';

/**
 * Returns the project with the secrets of its configuration sealed like the stack's, so that one manager opens
 * everything that a stack has [CFG-16].
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
