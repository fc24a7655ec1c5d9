import { openSecretsManager } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { noManagerCrypter } from '@cairn/crypters';
import type { SerializedDeployment } from '@cairn/state';
import type { World } from '../world.js';
import { unlockSources } from './user.js';

/** The crypter that opens a deployment's secrets; one that fails at use when the deployment names no manager. */
export function stateCrypter(world: World, deployment: SerializedDeployment): Promise<Crypter> {
  const { secretsProvider } = deployment;
  if (secretsProvider === undefined) return Promise.resolve(noManagerCrypter);
  return openSecretsManager(secretsProvider.type, secretsProvider.state, unlockSources(world)).crypter();
}
