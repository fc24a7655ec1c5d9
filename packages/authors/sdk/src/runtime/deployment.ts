import { AsyncLocalStorage } from 'node:async_hooks';
import type { EngineService, Monitor } from '@cairn/wire';
import { RunError } from '../resource/resource-error.js';
import type { StackResource } from '../resource/state.js';
import type { ProgramCallbacks } from './callbacks.js';
import type { Pending } from './pending.js';
import type { Failures } from './failures.js';
import type { LateInputs } from './late-inputs.js';

/** What the program is run for. */
export interface DeploymentSettings {
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  /** Folder of the project file. */
  readonly rootDirectory: string;
  readonly dryRun: boolean;
  readonly parallel: number;
  /** `namespace:name` to text, decrypted. */
  readonly config: Readonly<Record<string, string>>;
  readonly configSecretKeys: readonly string[];
}

/** The deployment the program is part of: where its resources go. */
export interface Deployment {
  readonly settings: DeploymentSettings;
  readonly monitor: Monitor;
  readonly engine: EngineService;
  /** The stack resource: parent of everything that names no other. */
  readonly root: StackResource;
  /** What the program has asked for and not got yet. */
  readonly pending: Pending;
  readonly failures: Failures;
  readonly late: LateInputs;
  /** Functions of the program that the engine calls. */
  readonly callbacks: ProgramCallbacks;
  /** The program's modules; absent: it has no process of its own, so that nothing of it is stored. */
  readonly modules?: ProgramModules | undefined;
  /** Why nothing may be declared any more; absent, or undefined as long as something may. */
  readonly refusal?: (() => string | undefined) | undefined;
}

/** Modules of the program that can be stored. */
export interface ProgramModules {
  /** Path of the module that the program starts with. */
  readonly entry: string;
  /** One module that has an export of another, with everything that it imports. */
  bundle(file: string, exportName: string): Promise<string>;
}

// One place for all copies of this package in the process.
const SLOT = Symbol.for('cairn.sdk.deployment');
const SCOPE = Symbol.for('cairn.sdk.deployment-scope');
const holder = globalThis as {
  [SLOT]?: Deployment | undefined;
  [SCOPE]?: AsyncLocalStorage<Deployment> | undefined;
};

/** The deployment that the calling code is part of. Throws when the program was started without Cairn. */
export function deployment(): Deployment {
  const current = holder[SCOPE]?.getStore() ?? holder[SLOT];
  if (current === undefined) {
    throw new Error(
      'this program declares resources, so it has to be run by Cairn: use "cairn up" or "cairn preview"; ' +
        'in a test, testProgram of @cairn/sdk/testing runs it',
    );
  }
  return current;
}

/** The deployment that something is declared in. Throws when its program has come to its end. */
export function openDeployment(what: () => string): Deployment {
  const current = deployment();
  const refusal = current.refusal?.();
  if (refusal === undefined) return current;
  throw new RunError(`cannot declare ${what()}: ${refusal}`);
}

/** The deployment of the calling code; undefined outside of any. */
export function scopedDeployment(): Deployment | undefined {
  return holder[SCOPE]?.getStore();
}

/** Makes a deployment that of the whole process, or none: for a process that runs one program. */
export function setDeployment(next: Deployment | undefined): void {
  holder[SLOT] = next;
}

/**
 * Runs work that is part of a deployment, with everything that the work starts and that goes on after it. Several such
 * programs can run in one process at a time.
 */
export function inDeployment<T>(next: Deployment, work: () => T): T {
  return (holder[SCOPE] ??= new AsyncLocalStorage<Deployment>()).run(next, work);
}
