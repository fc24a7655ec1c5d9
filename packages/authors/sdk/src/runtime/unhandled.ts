import process from 'node:process';
import { scopedDeployment } from './deployment.js';
import type { Deployment } from './deployment.js';

// One place for all copies of this package in the process.
const SLOT = Symbol.for('cairn.sdk.unhandled');
const holder = globalThis as { [SLOT]?: Listening | undefined };

interface Listening {
  readonly deployments: Set<Deployment>;
  /** Deployments whose errors are collected for as long as they exist. */
  readonly served: WeakSet<Deployment>;
  /** True if this process serves programs: it then listens to the end of the process. */
  serves: boolean;
  readonly stop: () => void;
}

/**
 * Counts unhandled errors, of promises and of callbacks, as failures of the deployment whose code raised them. All
 * other errors end the process as without a listener, unless another listener exists. Returns a function that ends
 * this.
 */
export function hearUnhandled(deployment: Deployment): () => void {
  const { deployments } = (holder[SLOT] ??= listen());
  deployments.add(deployment);
  return () => {
    deployments.delete(deployment);
    if (deployments.size > 0 || holder[SLOT]?.serves === true) return;
    holder[SLOT]?.stop();
    holder[SLOT] = undefined;
  };
}

/**
 * Does the same for work of another program, until the process ends. Things that the work began may fail after its
 * answer, when no caller listens.
 */
export function hearUnhandledServed(deployment: Deployment): void {
  const listening = (holder[SLOT] ??= listen());
  listening.served.add(deployment);
  listening.serves = true;
}

function listen(): Listening {
  const deployments = new Set<Deployment>();
  const served = new WeakSet<Deployment>();
  const ours = (): Deployment | undefined => {
    const scope = scopedDeployment();
    return scope !== undefined && (deployments.has(scope) || served.has(scope)) ? scope : undefined;
  };
  const rejected = (error: unknown): void => {
    const deployment = ours();
    if (deployment !== undefined) deployment.failures.report(error, true);
    else if (process.listenerCount('unhandledRejection') === 1) throw error;
  };
  const thrown = (error: unknown): void => {
    const deployment = ours();
    if (deployment !== undefined) deployment.failures.report(error);
    else if (process.listenerCount('uncaughtException') === 1) {
      process.off('uncaughtException', thrown);
      process.nextTick(() => {
        throw error;
      });
    }
  };
  process.on('unhandledRejection', rejected);
  process.on('uncaughtException', thrown);
  return {
    deployments,
    served,
    serves: false,
    stop: () => {
      process.off('unhandledRejection', rejected);
      process.off('uncaughtException', thrown);
    },
  };
}
