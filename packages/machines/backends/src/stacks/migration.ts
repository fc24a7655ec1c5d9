import type { Crypter } from '@cairn/crypters';
import type { SecretsProviderRecord, SerializedDeployment } from '@cairn/state';
import type { HistoryEntry } from '../history/history-entry.js';
import type { StackId } from '../stack-id.js';

/** What of a stack goes to another backend, and how. */
export interface Migration {
  readonly from: StackId;
  readonly to: StackId;
  /** Absent: secrets stay sealed as they are. */
  readonly seal?: NewSeal | undefined;
  /** The records of its changes go too. */
  readonly journals: boolean;
  /** Takes a state although it is not consistent. */
  readonly force: boolean;
  /**
   * Called when everything is copied, while both stacks are locked, with the secrets manager of the copy: another one
   * than that of `seal` when an earlier run has made it.
   */
  readonly onCopied: (manager: SecretsProviderRecord | undefined) => Promise<void>;
}

/** Another secrets manager for everything that a stack has. */
export interface NewSeal {
  readonly secretsProvider: SecretsProviderRecord;
  /** Opens the secrets of a manager that a state names. */
  readonly open: (manager: SecretsProviderRecord) => Promise<Crypter>;
  readonly deployment: (deployment: SerializedDeployment, from: Crypter) => SerializedDeployment;
  /** Configuration as history keeps it. */
  readonly config: (config: HistoryEntry['config'], from: Crypter) => HistoryEntry['config'];
}
