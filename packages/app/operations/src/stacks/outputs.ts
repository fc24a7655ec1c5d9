import { ROOT_STACK_TYPE } from '@cairn/addresses';
import { blindingStateCrypter } from '@cairn/crypters';
import { decodeResource, emptyDeployment } from '@cairn/state';
import type { ResourceEntry, SerializedDeployment, SerializedResource } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { OpenStack } from '../access/open-stack.js';
import { stateCrypter } from '../access/secrets.js';
import type { Ports } from '../ports.js';

/**
 * Returns the outputs of a stack after its last operation. Unless secrets are to be opened, they are marked and empty,
 * and need no key.
 */
export async function stackOutputs(
  { ports, backend, id }: Pick<OpenStack, 'ports' | 'backend' | 'id'>,
  openSecrets = false,
): Promise<PropertyMap> {
  const deployment = await backend.readRoot(id);
  return deployment === undefined ? emptyMap : outputsOf(ports, deployment, openSecrets);
}

/** Returns the outputs of a deployment's stack. */
export async function outputsOf(
  ports: Ports,
  deployment: SerializedDeployment,
  openSecrets: boolean,
): Promise<PropertyMap> {
  const root = deployment.resources.find(
    (resource) => resource.type === ROOT_STACK_TYPE && resource.delete !== true,
  );
  if (root === undefined) return emptyMap;
  const crypter = openSecrets ? await stateCrypter(ports, deployment) : blindingStateCrypter;
  return decodeResource(root, crypter, 'the state').outputs;
}

/** Returns the resources of a stack with secrets opened, and its outputs. */
export async function stackEntries({
  ports,
  backend,
  id,
}: Pick<OpenStack, 'ports' | 'backend' | 'id'>): Promise<{
  readonly entries: readonly ResourceEntry[];
  readonly outputs: PropertyMap;
}> {
  const { deployment = emptyDeployment } = await backend.read(id);
  const crypter = await stateCrypter(ports, deployment);
  const entries = deployment.resources.map((each) => decodeResource(each, crypter, 'the state'));
  const root = entries.find((entry) => entry.type === ROOT_STACK_TYPE && !entry.delete);
  return { entries, outputs: root?.outputs ?? emptyMap };
}

/** Decodes a resource of a stack. Unless secrets are to be opened, they are marked and empty, and need no key. */
export async function stackEntry(
  { ports, backend, id }: Pick<OpenStack, 'ports' | 'backend' | 'id'>,
  resource: SerializedResource,
  openSecrets: boolean,
): Promise<ResourceEntry> {
  const { deployment = emptyDeployment } = await backend.read(id, { integrity: 'skip' });
  const crypter = openSecrets ? await stateCrypter(ports, deployment) : blindingStateCrypter;
  return decodeResource(resource, crypter, 'the state');
}
