import type { Crypter } from '@cairn/crypters';
import type { SecretsProviderRecord, SerializedDeployment } from '@cairn/state';
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
   * from that of `seal` if an earlier run has made the copy.
   */
  readonly onCopied: (manager: SecretsProviderRecord | undefined) => Promise<void>;
}

/** Another secrets manager for all secrets of a stack. */
export interface NewSeal {
  readonly secretsProvider: SecretsProviderRecord;
  /** Opens the secrets of a manager that a state names. */
  readonly open: (manager: SecretsProviderRecord) => Promise<Crypter>;
  readonly deployment: (deployment: SerializedDeployment, from: Crypter) => SerializedDeployment;
  /** Seals configuration as history keeps it. */
  readonly config: (config: HistoryEntry['config'], from: Crypter) => HistoryEntry['config'];
}
