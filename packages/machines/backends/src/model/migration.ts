import type { Json, SecretsProviderRecord, SerializedDeployment } from '@cairn/state';
import type { HistoryEntry } from './history-entry.js';
import type { StackId } from '../stack-id.js';

/** Parts of a stack that go to another backend, and options of the copy. */
export interface Migration {
  readonly from: StackId;
  readonly to: StackId;
  /** If undefined, secrets stay sealed as they are. */
  readonly seal?: NewSeal | undefined;
  /** Copy the records of its changes too. */
  readonly journals: boolean;
  /** Accept a state although it is inconsistent. */
  readonly force: boolean;
  /**
   * Called when everything is copied, while both stacks are locked, with the secrets manager of the copy. It differs
   * from that of `seal` if an earlier run made the copy.
   */
  readonly onCopied: (manager: SecretsProviderRecord | undefined) => Promise<void>;
}

/** Another secrets manager for all secrets of a stack. */
export interface NewSeal {
  readonly secretsProvider: SecretsProviderRecord;
  /** Seals a state that names its manager. */
  readonly deployment: (deployment: SerializedDeployment) => Promise<SerializedDeployment>;
  /** Seals configuration as history keeps it. `manager` sealed it. */
  readonly config: (
    config: HistoryEntry['config'],
    manager: SecretsProviderRecord,
  ) => Promise<HistoryEntry['config']>;
  /** Seals every secret in JSON data. `manager` sealed it. */
  readonly json: (value: Json, manager: SecretsProviderRecord) => Promise<Json>;
}
