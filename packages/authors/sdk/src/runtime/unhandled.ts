import process from 'node:process';
import { scopedDeployment } from './deployment.js';
import type { Deployment } from './deployment.js';

// One place for all copies of this package in the process.
const SLOT = Symbol.for('cairn.sdk.unhandled');
const holder = globalThis as { [SLOT]?: Listening | undefined };

interface Listening {
  readonly deployments: Set<Deployment>;
  /** Heard for as long as there is one of them. */
  readonly served: WeakSet<Deployment>;
  /** Whether something is served here: it is listened to the end of the process. */
  serves: boolean;
  readonly stop: () => void;
}

/**
 * From now on errors that nobody handled count as failures of the deployment whose code has raised them, of promises
 * and of callbacks. All others end the process as if nobody listened, unless somebody else does. Returns what ends
 * that.
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
 * The same for what is done for somebody else's program, until the process ends: what it has begun may fail after its
 * answer, when nobody listens any more.
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
