import type { Backend, StackId } from '@cairn/backends';
import { noManagerCrypter, openSecretsManager } from '@cairn/crypters';
import type { Crypter, SecretsManager } from '@cairn/crypters';
import type { Json, JsonObject, SecretsProviderRecord, SerializedDeployment } from '@cairn/state';
import type { SecretsChoiceSources } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import { unlockSources } from './user.js';

/**
 * Returns the crypter that opens a deployment's secrets. If the deployment names no manager, the crypter fails when it
 * is used. A deployment without secrets needs no key.
 */
export function stateCrypter(ports: Ports, deployment: SerializedDeployment): Promise<Crypter> {
  const manager = managerOf(ports, deployment);
  if (manager === undefined || !hasSecrets(deployment)) return Promise.resolve(noManagerCrypter);
  return manager.crypter();
}

/** Returns the manager that a deployment names, if any. */
export function managerOf(ports: Ports, deployment: SerializedDeployment): SecretsManager | undefined {
  const { secretsProvider } = deployment;
  return secretsProvider === undefined ? undefined : openManager(ports, secretsProvider);
}

/** New managers that are still in use by their maker, by type and state. A new passphrase is available nowhere else. */
const made = new Map<string, SecretsManager>();

/** Opens the manager that a file names. */
export function openManager(ports: Ports, { type, state }: SecretsProviderRecord): SecretsManager {
  return made.get(nameOf(type, state)) ?? openSecretsManager(type, state, unlockSources(ports));
}

/** Runs a function for which {@link openManager} returns a manager that was just made. */
export async function withMade<T>(manager: SecretsManager, run: () => Promise<T>): Promise<T> {
  const name = nameOf(manager.type, manager.state);
  made.set(name, manager);
  try {
    return await run();
  } finally {
    made.delete(name);
  }
}

function nameOf(type: string, state: string | undefined): string {
  return JSON.stringify([type, state ?? null]);
}

/**
 * Returns the sources for choosing the manager of a stack. They include the manager of its stored state, if there is
 * one, which is read only when needed.
 */
export function choiceSources(ports: Ports, backend: Backend, id: StackId): SecretsChoiceSources {
  return {
    ...unlockSources(ports),
    stateManager: async () => {
      if (!(await backend.exists(id))) return undefined;
      const { deployment } = await backend.read(id, { integrity: 'skip' });
      return deployment === undefined ? undefined : managerOf(ports, deployment);
    },
  };
}

/** Tells whether any value of the deployment is sealed; stops at the first. */
export function hasSecrets(deployment: SerializedDeployment): boolean {
  const resources = [
    ...deployment.resources,
    ...deployment.pendingOperations.map((operation) => operation.resource),
  ];
  return resources.some(
    (resource) =>
      isSealed(resource.inputs) || isSealed(resource.outputs) || isSealed(resource.replacementTrigger),
  );
}

function isSealed(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(isSealed);
  const map = value as JsonObject;
  if (typeof map['ciphertext'] === 'string') return true;
  for (const key in map) if (isSealed(map[key])) return true;
  return false;
}
