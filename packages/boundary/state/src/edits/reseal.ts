import type { Crypter } from '@cairn/crypters';
import type { SecretsProviderRecord, SerializedDeployment } from '../document/serialized.js';
import { decodeSnapshot, encodeSnapshot } from '../snapshot/snapshot-codec.js';
import type { Snapshot } from '../snapshot/snapshot.js';

/** Crypters to reseal a state. `source` is its name, for messages. */
interface ResealRequest {
  /** Opens the secrets as they are. */
  readonly from: Crypter;
  /** Seals the secrets again. `secretsProvider` is written as the manager. */
  readonly to: Crypter;
  readonly secretsProvider: SecretsProviderRecord;
  readonly source: string;
}

/**
 * Returns the same state with every secret under another manager: in entries, pending operations and triggers.
 * Everything else remains as it is.
 */
export function resealedDeployment(
  deployment: SerializedDeployment,
  { from, to, secretsProvider, source }: ResealRequest,
): SerializedDeployment {
  return sealedSnapshot(decodeSnapshot(deployment, from, source), deployment, secretsProvider, to);
}

/** Encodes a snapshot that was decoded from a deployment, under the given manager. */
export function sealedSnapshot(
  snapshot: Snapshot,
  deployment: SerializedDeployment,
  secretsProvider: SecretsProviderRecord,
  crypter: Crypter,
): SerializedDeployment {
  const encoded = encodeSnapshot({ ...snapshot, secretsProvider }, deployment.manifest, crypter);
  return { ...encoded, snippets: deployment.snippets, extensions: deployment.extensions };
}
