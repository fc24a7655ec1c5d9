import { secretService } from '@cairn/backends';
import type { Backend, StackId } from '@cairn/backends';
import { noManagerCrypter, openSecretsManager } from '@cairn/crypters';
import type { Crypter, SecretsManager, UnlockSources } from '@cairn/crypters';
import type {
  Json,
  JsonObject,
  SecretsProviderRecord,
  SerializedDeployment,
  SerializedResource,
} from '@cairn/state';
import type { SecretsChoiceSources } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import { presentService } from './present-service.js';
import { accessTo } from './service-login.js';
import { unlockSources } from './user.js';

/**
 * Returns the crypter that opens a deployment's secrets. If the deployment names no manager, the crypter fails when it
 * is used. A deployment without secrets needs no key.
 */
export function stateCrypter(ports: Ports, deployment: SerializedDeployment): Promise<Crypter> {
  const manager = managerOf(ports, deployment);
  if (manager === undefined || !hasSecrets(deployment)) return Promise.resolve(noManagerCrypter);
  return fetchedCrypter(manager, ciphertextsOf(deployment));
}

/** Returns the crypter of a manager that is going to open ciphertexts. */
export async function fetchedCrypter(
  manager: SecretsManager,
  ciphertexts: Iterable<string>,
): Promise<Crypter> {
  const crypter = await manager.crypter();
  await manager.fetch?.(ciphertexts);
  return crypter;
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
  return made.get(nameOf(type, state)) ?? openSecretsManager(type, state, secretsSources(ports));
}

/** Returns the sources of every kind of manager: those of a passphrase, and the services that states name. */
export function secretsSources(ports: Ports): UnlockSources {
  const reach = {
    version: ports.version,
    access: (url: string) => accessTo(ports, url),
    present: () => presentService(ports),
  };
  return { ...unlockSources(ports), service: (state) => secretService(state, reach) };
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
 * one, which is read only when needed, and that of new stacks of a state service.
 */
export function choiceSources(ports: Ports, backend: Backend, id: StackId): SecretsChoiceSources {
  return {
    ...secretsSources(ports),
    ...newStackSources(ports, backend, id),
    stateManager: async () => {
      if (!(await backend.exists(id))) return undefined;
      const { deployment } = await backend.read(id, { integrity: 'skip' });
      return deployment === undefined ? undefined : managerOf(ports, deployment);
    },
  };
}

/** Returns the manager for stacks whose file and state name none, if the backend has one. */
export function newStackSources(
  ports: Ports,
  { service }: Backend,
  id: StackId,
): Pick<SecretsChoiceSources, 'usual'> {
  return service === undefined ? {} : { usual: () => openManager(ports, service.secretsProvider(id)) };
}

/** Tells whether any value of the deployment is sealed; stops at the first. */
export function hasSecrets({ resources, pendingOperations }: SerializedDeployment): boolean {
  const isSealed = ({ inputs, outputs, replacementTrigger }: SerializedResource): boolean =>
    hasCiphertext(inputs) || hasCiphertext(outputs) || hasCiphertext(replacementTrigger);
  return resources.some(isSealed) || pendingOperations.some(({ resource }) => isSealed(resource));
}

/** Asks the question of {@link ciphertextsIn} without a generator, because most states have no secrets. */
function hasCiphertext(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return (value as readonly Json[]).some(hasCiphertext);
  const map = value as JsonObject;
  if (typeof map['ciphertext'] === 'string') return true;
  for (const key in map) if (hasCiphertext(map[key])) return true;
  return false;
}

/** Yields the ciphertexts of a deployment. */
export function* ciphertextsOf({ resources, pendingOperations }: SerializedDeployment): Generator<string> {
  const pending = pendingOperations.map((operation) => operation.resource);
  for (const { inputs, outputs, replacementTrigger } of [...resources, ...pending])
    for (const value of [inputs, outputs, replacementTrigger]) yield* ciphertextsIn(value);
}

/** Yields the ciphertexts in JSON data. */
export function* ciphertextsIn(value: Json | undefined): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value) yield* ciphertextsIn(each);
    return;
  }
  const map = value as JsonObject;
  const { ciphertext } = map;
  if (typeof ciphertext === 'string') yield ciphertext;
  else for (const key in map) yield* ciphertextsIn(map[key]);
}
