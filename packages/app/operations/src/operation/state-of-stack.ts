import { CairnError, cairnError, isCairnError } from '@cairn/diagnostics';
import { noManagerCrypter, openSecretsManager, sameManager } from '@cairn/crypters';
import type { Crypter, SecretsManager } from '@cairn/crypters';
import { decodeSnapshot, sealedSnapshot } from '@cairn/state';
import type { SerializedDeployment, Snapshot } from '@cairn/state';
import type { Prepared } from './prepared.js';
import { hasSecrets } from '../access/secrets.js';
import { unlockSources } from '../access/user.js';

/** The state in memory, secrets opened. */
export async function openState(prepared: Prepared, deployment: SerializedDeployment): Promise<Snapshot> {
  const source = `the state of stack ${prepared.id.stack}`;
  return withManager(prepared, decodeSnapshot(deployment, await crypterFor(prepared, deployment), source));
}

/** The crypter to decode a state with. A state without secrets does not wait for one to unlock. */
export async function crypterFor(prepared: Prepared, deployment: SerializedDeployment): Promise<Crypter> {
  return hasSecrets(deployment) ? ownCrypter(prepared, deployment) : noManagerCrypter;
}

/** The snapshot under the manager that this operation seals with. */
export function withManager(prepared: Prepared, snapshot: Snapshot): Snapshot {
  return { ...snapshot, secretsProvider: { type: prepared.manager.type, state: prepared.manager.state } };
}

/** Crypter of the manager the state names: the stack's own, or an older one. */
async function ownCrypter(prepared: Prepared, deployment: SerializedDeployment): Promise<Crypter> {
  const { secretsProvider } = deployment;
  if (secretsProvider === undefined) {
    throw cairnError(
      'CAIRN-SECRETS-MALFORMED',
      `the state of stack ${prepared.id.stack} has secrets but names no secrets provider`,
      {
        hint: 'restore the state from its .bak copy or from a backup',
      },
    );
  }
  const manager = openSecretsManager(
    secretsProvider.type,
    secretsProvider.state,
    unlockSources(prepared.ports),
  );
  return sameManager(manager, prepared.manager) ? prepared.crypter : foreignCrypter(prepared, manager);
}

/**
 * Opens what another manager than the stack file's has sealed; when it cannot, the error says how the two are brought
 * together.
 */
async function foreignCrypter({ id, mask }: Prepared, manager: SecretsManager): Promise<Crypter> {
  const explained = (error: unknown): never => {
    if (!isCairnError(error)) throw error;
    throw new CairnError(
      error.diagnostics.map((found) => ({
        ...found,
        causes: [
          ...(found.causes ?? []),
          `the state of stack ${id.stack} is protected otherwise than its stack file says`,
        ],
        hint: `${found.hint ?? ''} \`cairn stack change-secrets-provider\` brings both together.`.trim(),
      })),
      { cause: error },
    );
  };
  const crypter = await manager.crypter().catch(explained);
  const opening = <T>(open: () => T): T => {
    try {
      return open();
    } catch (error) {
      return explained(error);
    }
  };
  return mask.hearing({
    encrypt: (plaintext, identity) => opening(() => crypter.encrypt(plaintext, identity)),
    decrypt: (ciphertext) => opening(() => crypter.decrypt(ciphertext)),
  });
}

/**
 * How the manager that a state names stands to the one of the stack's file. `other`, `none`: the state must name it
 * before anything is added that it seals [JRN-2], and with `other` its secrets are sealed anew.
 */
export function managerIn(
  prepared: Prepared,
  { secretsProvider }: SerializedDeployment,
): 'same' | 'other' | 'none' {
  if (secretsProvider === undefined) return 'none';
  const named = { ...secretsProvider, crypter: () => prepared.crypter };
  return sameManager(named, prepared.manager) ? 'same' : 'other';
}

/** The same state sealed by the stack's own manager. */
export async function sealAnew(
  prepared: Prepared,
  deployment: SerializedDeployment,
  snapshot: Snapshot,
): Promise<SerializedDeployment> {
  const secretsProvider = { type: prepared.manager.type, state: prepared.manager.state };
  return sealedSnapshot(snapshot, deployment, secretsProvider, await prepared.crypter);
}
