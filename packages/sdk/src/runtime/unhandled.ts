import process from 'node:process';
import { scopedDeployment } from './deployment.js';
import type { Deployment } from './deployment.js';

// One place for all copies of this package in the process.
const SLOT = Symbol.for('cairn.sdk.unhandled');
const holder = globalThis as { [SLOT]?: Listening | undefined };

interface Listening {
  readonly deployments: Set<Deployment>;
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
    if (deployments.size > 0) return;
    holder[SLOT]?.stop();
    holder[SLOT] = undefined;
  };
}

function listen(): Listening {
  const deployments = new Set<Deployment>();
  const ours = (): Deployment | undefined => {
    const scope = scopedDeployment();
    return scope !== undefined && deployments.has(scope) ? scope : undefined;
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
    stop: () => {
      process.off('unhandledRejection', rejected);
      process.off('uncaughtException', thrown);
    },
  };
}
