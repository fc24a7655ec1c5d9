import { AsyncLocalStorage } from 'node:async_hooks';
import type { EngineService, Monitor } from '@cairn/wire';
import { RunError } from '../resource/resource-error.js';
import type { StackResource } from '../resource/state.js';
import type { RegisteredCallbacks } from './callbacks.js';
import type { PendingRequests } from './pending.js';
import type { Failures } from './failures.js';
import type { LateInputs } from './late-inputs.js';

/** Settings of a program's run. */
export interface DeploymentSettings {
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  /** Folder of the project file. */
  readonly rootDirectory: string;
  readonly dryRun: boolean;
  readonly parallel: number;
  /** Configuration: `namespace:name` to decrypted text. */
  readonly config: Readonly<Record<string, string>>;
  readonly configSecretKeys: readonly string[];
}

/** The deployment of the program: it receives the program's resources. */
export interface Deployment {
  readonly settings: DeploymentSettings;
  readonly monitor: Monitor;
  readonly engine: EngineService;
  /** The stack resource: parent of every resource that names no other. */
  readonly root: StackResource;
  /** Requests of the program without an answer. */
  readonly pending: PendingRequests;
  readonly failures: Failures;
  readonly late: LateInputs;
  /** Functions of the program that the engine calls. */
  readonly callbacks: RegisteredCallbacks;
  /** The program's modules. Missing if the program has no process of its own; nothing of it is stored then. */
  readonly modules?: ProgramModules | undefined;
  /** Returns the reason why no more declarations are allowed. Missing, or returns undefined, while they are allowed. */
  readonly refusal?: (() => string | undefined) | undefined;
}

/** Modules of the program that can be stored. */
export interface ProgramModules {
  /** Path of the module that the program starts with. */
  readonly entry: string;
  /** Bundles a module that has one export of another module, with everything that it imports. */
  bundle(file: string, exportName: string): Promise<string>;
}

// One place for all copies of this package in the process.
const SLOT = Symbol.for('cairn.sdk.deployment');
const SCOPE = Symbol.for('cairn.sdk.deployment-scope');
const holder = globalThis as {
  [SLOT]?: Deployment | undefined;
  [SCOPE]?: AsyncLocalStorage<Deployment> | undefined;
};

/** Returns the deployment that the calling code is part of. Throws if the program was started without Cairn. */
export function deployment(): Deployment {
  const current = holder[SCOPE]?.getStore() ?? holder[SLOT];
  if (current === undefined) {
    throw new Error(
      'this program declares resources, so Cairn must run it: use "cairn up" or "cairn preview"; ' +
        'in a test, testProgram of @cairn/sdk/testing runs it',
    );
  }
  return current;
}

/** Returns the deployment for a declaration. Throws if its program has ended. */
export function openDeployment(what: () => string): Deployment {
  const current = deployment();
  const refusal = current.refusal?.();
  if (refusal === undefined) return current;
  throw new RunError(`cannot declare ${what()}: ${refusal}`);
}

/** Returns the deployment of the calling code, or undefined outside of any. */
export function scopedDeployment(): Deployment | undefined {
  return holder[SCOPE]?.getStore();
}

/** Sets the deployment of the whole process, or none: for a process that runs one program. */
export function setDeployment(next: Deployment | undefined): void {
  holder[SLOT] = next;
}

/**
 * Runs work as part of a deployment, including everything that it starts and leaves running. Several such programs can
 * run in one process at a time.
 */
export function inDeployment<T>(next: Deployment, work: () => T): T {
  return (holder[SCOPE] ??= new AsyncLocalStorage<Deployment>()).run(next, work);
}
