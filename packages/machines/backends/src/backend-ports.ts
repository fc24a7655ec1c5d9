import type { Crypter } from '@cairn/crypters';
import type { SecretsProviderRecord } from '@cairn/state';
import type { HolderProcess } from './model/lock-holder.js';
import type { ServiceAccess } from './service-part.js';
import type { Timer } from './timer.js';

/**
 * Schedule of checkpoint writes while an operation runs. `paced`: before its first effect, and then as often as a share
 * of the time allows. `each-step`: with every begin and end of a step, as the other tool does. `end`: only at the end.
 */
export type CheckpointPace = 'paced' | 'each-step' | 'end';

/** Switch for sealing whole states. Undefined: a stack stays as it is stored. */
export type StateEncryption = 'on' | 'off' | undefined;

/** Setting and source of the keys of sealed states. */
export interface SealingPorts {
  readonly mode: StateEncryption;
  /**
   * Returns the crypter of a secrets manager. It wraps the key with which a state is sealed, never the state itself.
   */
  readonly open: (manager: SecretsProviderRecord) => Promise<Crypter>;
}

/** Outside facilities that a backend uses. */
export interface BackendPorts {
  /** Variables of the process, or of a test. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** Returns a fresh UUID. */
  readonly newId: () => string;
  /** Version text for manifests, e.g. `v0.1.0`. */
  readonly version: string;
  /** The command line without node and script, for the record of a failed integrity check. */
  readonly argv: readonly string[];
  readonly process: HolderProcess;
  /**
   * Renews locks and wakes callers that follow a change or listen for messages. Defaults to the machine's own timer;
   * tests pass another one.
   */
  readonly timer?: Timer;
  /**
   * `skip`: inconsistent states are used and stored without an error [INT-3]. The failure is noted in the state all the
   * same.
   */
  readonly integrity?: 'check' | 'skip';
  /** Longest time to wait for a lock of another process, in milliseconds. Without it there is no waiting. */
  readonly waitForLockMs?: number | undefined;
  /** Notified when the backend waits for something that may take long, e.g. a lock that may not be renewed any more. */
  readonly waiting?: (text: string) => void;
  /**
   * Decides when the checkpoint is written while an operation runs, unless the environment says so. Defaults to
   * `paced`.
   */
  readonly checkpoint?: CheckpointPace | undefined;
  /** Setting and keys for sealing whole states. Without it, sealed states cannot be opened. */
  readonly sealing?: SealingPorts;
  /** Returns the means of access to the state service at an address. Without it, there are none. */
  readonly serviceAccess?: (url: string) => Promise<ServiceAccess>;
}
