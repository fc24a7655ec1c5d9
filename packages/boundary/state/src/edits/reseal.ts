import type { Crypter } from '@cairn/crypters';
import type { SerializedDeployment } from '../serialized.js';
import { decodeSnapshot, encodeSnapshot } from '../snapshot-codec.js';
import type { SecretsProviderRecord, Snapshot } from '../snapshot.js';

/** How to seal a state anew. `source`: its name, for messages. */
interface ResealRequest {
  /** Opens the secrets as they are. */
  readonly from: Crypter;
  /** Seals them again, and what to write as the manager. */
  readonly to: Crypter;
  readonly secretsProvider: SecretsProviderRecord;
  readonly source: string;
}

/**
 * The same state with every secret under another manager: entries, pending operations, triggers. All else stays as it
 * is.
 */
export function resealedDeployment(
  deployment: SerializedDeployment,
  { from, to, secretsProvider, source }: ResealRequest,
): SerializedDeployment {
  return sealedSnapshot(decodeSnapshot(deployment, from, source), deployment, secretsProvider, to);
}

/** The form of a snapshot that was decoded from a deployment, under the given manager. */
export function sealedSnapshot(
  snapshot: Snapshot,
  deployment: SerializedDeployment,
  secretsProvider: SecretsProviderRecord,
  crypter: Crypter,
): SerializedDeployment {
  const encoded = encodeSnapshot({ ...snapshot, secretsProvider }, deployment.manifest, crypter);
  return { ...encoded, snippets: deployment.snippets, extensions: deployment.extensions };
}
