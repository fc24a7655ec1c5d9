import process from 'node:process';
import { startHttp2Server } from '@cairn/wire/callbacks-server';

/** Interval of the check that the parent still exists. */
const PARENT_MS = 1000;

/** Time limit for running calls to give up. */
const GRACE_MS = 2000;

/**
 * Serves as a plugin process: the port is the first line of stdout. On SIGINT and SIGTERM the process ends after
 * `giveUp` has notified the running calls. It also ends if the process that started it has ended without a signal.
 */
// [PLUG-4]
export async function servePlugin(
  services: Parameters<typeof startHttp2Server>[0],
  giveUp: () => void,
): Promise<void> {
  process.setSourceMapsEnabled(true);
  const server = await startHttp2Server(services);
  const parent = process.ppid;
  const stop = (): void => {
    giveUp();
    setTimeout(() => process.exit(0), GRACE_MS).unref();
    void server.close().then(() => clearInterval(staying));
  };
  // Its server keeps no process alive by itself.
  const staying = setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_MS);
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.write(`${server.port}\n`);
}
