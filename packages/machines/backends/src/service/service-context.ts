import type { StackId } from '../stack-id.js';
import type { HolderProcess } from '../model/lock-holder.js';
import type { Timer } from '../timer.js';
import type { ServiceHttp } from './service-http.js';

/** Abilities of a service that only our own have: records of changes, and a queue of those who wait. */
export interface ServiceCapabilities {
  readonly keepsChanges: boolean;
  readonly hasQueue: boolean;
}

/** Parts that the members of a service backend share. */
export interface ServiceContext {
  readonly http: ServiceHttp;
  /** Organization of stacks that are named without one. */
  readonly organization: string;
  readonly now: () => Date;
  readonly timer: Timer;
  /** Version text for manifests. */
  readonly version: string;
  readonly integrity: 'check' | 'skip';
  readonly waitForLockMs: number;
  readonly waiting: ((text: string) => void) | undefined;
  /** This process, as records of changes name it. */
  readonly process: HolderProcess;
  /** Finds out what the service can do besides the protocol. Asks it once. */
  readonly capabilities: () => Promise<ServiceCapabilities>;
  /** Returns a fresh UUID. */
  readonly newId: () => string;
}

/** Returns the names of a stack in the paths of routes. */
export function pathNames({ organization }: ServiceContext, id: StackId): Readonly<Record<string, string>> {
  return { org: id.organization ?? organization, project: id.project, stack: id.stack };
}
