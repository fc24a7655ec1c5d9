import { CairnError, cairnError, isCairnError } from '@cairn/diagnostics';
import { noManagerCrypter, sameManager } from '@cairn/crypters';
import type { Crypter, SecretsManager } from '@cairn/crypters';
import { decodeSnapshot, sealedSnapshot } from '@cairn/state';
import type { SerializedDeployment, Snapshot } from '@cairn/state';
import type { Prepared } from './prepared.js';
import { ciphertextsOf, fetchedCrypter, hasSecrets, openManager } from '../access/secrets.js';

/** Decodes the state into memory, with secrets opened. */
export async function openState(prepared: Prepared, deployment: SerializedDeployment): Promise<Snapshot> {
  const source = `the state of stack ${prepared.id.stack}`;
  return withManager(prepared, decodeSnapshot(deployment, await crypterFor(prepared, deployment), source));
}

/** Returns the crypter to decode a state. A state without secrets does not wait for one to unlock. */
export async function crypterFor(prepared: Prepared, deployment: SerializedDeployment): Promise<Crypter> {
  return hasSecrets(deployment) ? ownCrypter(prepared, deployment) : noManagerCrypter;
}

/** Returns the snapshot under the manager with which this operation seals. */
export function withManager(prepared: Prepared, snapshot: Snapshot): Snapshot {
  return { ...snapshot, secretsProvider: { type: prepared.manager.type, state: prepared.manager.state } };
}

/** Returns the crypter of the manager that the state names: the stack's own, or an older one. */
async function ownCrypter(prepared: Prepared, deployment: SerializedDeployment): Promise<Crypter> {
  const { secretsProvider } = deployment;
  if (secretsProvider === undefined) {
    throw cairnError(
      'CAIRN-SECRETS-MALFORMED',
      `the state of stack ${prepared.id.stack} has secrets but names no secrets provider`,
      {
        hint: 'Restore the state from its .bak copy or from a backup.',
      },
    );
  }
  const manager = openManager(prepared.ports, secretsProvider);
  if (!sameManager(manager, prepared.manager)) return foreignCrypter(prepared, manager, deployment);
  const crypter = await prepared.crypter;
  await prepared.manager.fetch?.(ciphertextsOf(deployment));
  return crypter;
}

/**
 * Opens secrets that another manager than the stack file's has sealed. If it cannot, the error explains how to bring
 * the two together.
 */
async function foreignCrypter(
  { id, mask }: Prepared,
  manager: SecretsManager,
  deployment: SerializedDeployment,
): Promise<Crypter> {
  const explained = (error: unknown): never => {
    if (!isCairnError(error)) throw error;
    throw new CairnError(
      error.diagnostics.map((found) => ({
        ...found,
        causes: [
          ...(found.causes ?? []),
          `the state of stack ${id.stack} does not use the secrets provider of its stack file`,
        ],
        hint: `${found.hint ?? ''} Run \`cairn stack change-secrets-provider\` to use one for both.`.trim(),
      })),
      { cause: error },
    );
  };
  const crypter = await fetchedCrypter(manager, ciphertextsOf(deployment)).catch(explained);
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
 * Compares the manager of a state with that of the stack's file. For `other` and `none`, the state must name the latter
 * before it gets anything that the latter seals [JRN-2]. With `other` its secrets are sealed again.
 */
export function managerIn(
  prepared: Prepared,
  { secretsProvider }: SerializedDeployment,
): 'same' | 'other' | 'none' {
  if (secretsProvider === undefined) return 'none';
  const named = { ...secretsProvider, crypter: () => prepared.crypter };
  return sameManager(named, prepared.manager) ? 'same' : 'other';
}

/** Returns the same state sealed by the stack's own manager. */
export async function reencrypt(
  prepared: Prepared,
  deployment: SerializedDeployment,
  snapshot: Snapshot,
): Promise<SerializedDeployment> {
  const secretsProvider = { type: prepared.manager.type, state: prepared.manager.state };
  return sealedSnapshot(snapshot, deployment, secretsProvider, await prepared.crypter);
}
