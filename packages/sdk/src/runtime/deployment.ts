import type { EngineService, Monitor } from '@cairn/wire';
import type { StackResource } from '../resource/state.js';
import type { ProgramCallbacks } from './callbacks.js';
import type { Pending } from './pending.js';
import type { Failures } from './failures.js';

/** What the program is run for. */
export interface DeploymentSettings {
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  readonly dryRun: boolean;
  readonly parallel: number;
  /** `namespace:name` to text, decrypted. */
  readonly config: Readonly<Record<string, string>>;
  readonly configSecretKeys: readonly string[];
}

/** The deployment the program is part of: where its resources go. There is one in a process. */
export interface Deployment {
  readonly settings: DeploymentSettings;
  readonly monitor: Monitor;
  readonly engine: EngineService;
  /** The stack resource: parent of everything that names no other. */
  readonly root: StackResource;
  /** What the program has asked for and not got yet. */
  readonly pending: Pending;
  readonly failures: Failures;
  /** Functions of the program that the engine calls. */
  readonly callbacks: ProgramCallbacks;
}

// One place for all copies of this package in the process.
const SLOT = Symbol.for('cairn.sdk.deployment');
const holder = globalThis as { [SLOT]?: Deployment | undefined };

/** The running deployment. Throws when the program was started without Cairn. */
export function deployment(): Deployment {
  const current = holder[SLOT];
  if (current === undefined) {
    throw new Error(
      'this program declares resources, so it has to be run by Cairn: use "cairn up" or "cairn preview"',
    );
  }
  return current;
}

/** Makes a deployment the running one, or none. Called by the runtime and by tests. */
export function setDeployment(next: Deployment | undefined): void {
  holder[SLOT] = next;
}
