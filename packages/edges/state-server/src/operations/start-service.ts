import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { retentionOf } from '@cairn/backends';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { Accounts } from '../calls/accounts.js';
import { Changes } from '../calls/changes.js';
import { Secrets } from '../calls/secrets.js';
import type { ServicePorts } from '../calls/service-ports.js';
import { Stacks } from '../calls/stacks.js';
import { TerraformStates } from '../calls/terraform.js';
import { Updates } from '../calls/updates.js';
import type { AllHandlers } from '../routes/call.js';
import { changeHandlers } from '../routes/change-handlers.js';
import { handlersOf } from '../routes/handlers.js';
import { terraformHandlers } from '../routes/terraform-handlers.js';
import { mountRoutes } from '../routes/mount.js';
import type { ServiceLog } from './service-log.js';

/** Time between two searches for expired leases. */
const SWEEP_MS = 10_000;
/** Longest time that a graceful end waits for open requests. */
const END_MS = 30_000;

/** Address to listen on. Port 0 is any free port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Service that listens. */
export interface RunningService {
  /** Address with the port that was chosen. */
  readonly url: string;
  /** Secret of the first administrator, or undefined if the store has tokens. */
  readonly setup: string | undefined;
  /** Ends expired leases. The service does so on its own. */
  sweep(): Promise<void>;
  /** Ends gracefully: not ready, open requests finished, everything stored. Updates that run stay so. */
  stop(): Promise<void>;
}

/** Outside facilities of a service. `retention` defaults to that of buckets. */
type StartPorts = Omit<ServicePorts, 'failed' | 'retention'> & Partial<Pick<ServicePorts, 'retention'>>;

/** Starts the service on an address, after taking up the updates that ran when it ended. */
export async function startService(
  ports: StartPorts,
  address: ListenAddress,
  log: ServiceLog,
): Promise<RunningService> {
  const all = { retention: retentionOf({}), ...ports, failed: log.failed };
  const accounts = new Accounts(all);
  const updates = new Updates(all);
  const changes = new Changes(all);
  const stacks = new Stacks(all, updates);
  const secrets = new Secrets(all, stacks);
  let ending = false;
  const isReady = async (): Promise<boolean> => {
    if (ending) return false;
    return ports.store.ping().then(
      () => true,
      () => false,
    );
  };
  await updates.resume();
  const setup = await accounts.openSetup();
  const handlers: AllHandlers = {
    ...handlersOf({ accounts, stacks, secrets, updates, isReady }),
    ...terraformHandlers(new TerraformStates(all)),
    ...changeHandlers(changes),
  };
  const app = mountRoutes({ accounts, store: ports.store, handlers, answered: log.answered });
  const server = await listen(app.fetch, address);
  const sweeper = setInterval(
    () => void updates.sweep().catch((thrown: unknown) => log.failed('look for lapsed updates', thrown)),
    SWEEP_MS,
  );
  sweeper.unref();
  const stop = async (): Promise<void> => {
    ending = true;
    clearInterval(sweeper);
    await closeServer(server);
    await ports.store.close();
  };
  return { url: urlOf(address.host, server), setup, sweep: () => updates.sweep(), stop };
}

async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port }: ListenAddress,
): Promise<Server> {
  const server = serve({ fetch, hostname: host, port }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (thrown) => {
      reject(
        cairnError('CAIRN-USAGE', `cannot listen on ${host}:${port}: ${messageOf(thrown)}`, {
          hint: 'Choose another address with --listen, or port 0 for any free port.',
        }),
      );
    });
  });
  return server;
}

function urlOf(host: string, server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Stops accepting, waits for open requests, and then closes what is left. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const abort = new AbortController();
  await Promise.race([closed, pause(END_MS, undefined, { signal: abort.signal }).catch(() => undefined)]);
  abort.abort();
  server.closeAllConnections();
  await closed;
}
