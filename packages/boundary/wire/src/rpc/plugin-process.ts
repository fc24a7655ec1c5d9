import process from 'node:process';
import { healthService } from '../health/server.js';
import { sameUserGuard } from './peers/peer-guard.js';
import { startServer } from './server.js';
import type { Service } from './service.js';

/** Plugin that is served as a process of its own. */
interface ServedPlugin {
  readonly services: readonly Service[];
  /** The plugin as messages name it, for example `provider`. */
  readonly name: string;
  /** True if an engine has started this process, which ends with it. */
  readonly isChild: boolean;
  /** Tells the running calls to stop. Called once, before the process ends. */
  giveUp(): Promise<void>;
}

/**
 * Serves a plugin as this process. Listens on a free port of 127.0.0.1 and writes the port as the first line of stdout.
 * On SIGINT and SIGTERM, and when the process that started it has ended, it asks the running calls to stop and ends. On
 * Linux it answers only to processes of its own user.
 */
// [PLUG-4]
export async function servePlugin({ services, name, isChild, giveUp }: ServedPlugin): Promise<void> {
  const parent = process.ppid;
  const guard = sameUserGuard({
    onRefused: (who) => void process.stderr.write(`${who} tried to call this ${name} and was refused\n`),
  });
  const server = await startServer({ services: [...services, healthService()], stream: true, guard });
  const stop = (): void => {
    void giveUp().then(async () => {
      await server.close(GRACE_MS);
      process.exit(0);
    });
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  if (isChild) whenParentEnds(parent, stop);
  process.stdout.write(`${server.port}\n`);
}

/** Milliseconds in which running calls may still be answered. */
const GRACE_MS = 2000;

/** Interval of the check that the parent still exists. */
const PARENT_MS = 1000;

/**
 * Calls `stop` once when the process that started this one has ended. A killed parent has not ended its children, and
 * no other process does. `parent` is its id, read when this process began.
 */
export function whenParentEnds(parent: number, stop: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_MS);
  timer.unref();
}
