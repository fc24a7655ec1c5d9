import { retentionOf } from '@cairn/backends';
import type { ServicePorts } from '../calls/service-ports.js';
import { trustedProxies } from '../domain/trusted-proxies.js';
import type { TrustedProxies } from '../domain/trusted-proxies.js';
import { listenOn } from './listen.js';
import type { ListenAddress, SlowLimits } from './listen.js';
import { openServiceApp } from './service-app.js';
import type { ServiceLog } from './service-log.js';
import type { TlsFiles } from './tls-files.js';

/** Time between two searches for expired leases. */
const SWEEP_MS = 10_000;

/** Options of a start. */
interface StartOptions {
  /** Proxies whose X-Forwarded-For counts. Defaults to none. */
  readonly proxies?: TrustedProxies | undefined;
  /** Certificate, if the service speaks TLS itself. */
  readonly tls?: TlsFiles | undefined;
  readonly slow?: SlowLimits | undefined;
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
  { proxies = trustedProxies([]), tls, slow }: StartOptions = {},
): Promise<RunningService> {
  const all = { retention: retentionOf({}), ...ports, failed: log.failed, answered: log.answered, proxies };
  const app = await openServiceApp(all);
  const listener = await listenOn((request, env) => app.fetch(request, env), address, { tls, slow });
  const sweeper = setInterval(
    () => void app.sweep().catch((thrown: unknown) => log.failed('look for lapsed updates', thrown)),
    SWEEP_MS,
  );
  sweeper.unref();
  const stop = async (): Promise<void> => {
    app.end();
    clearInterval(sweeper);
    await listener.close();
    await ports.store.close();
  };
  return { url: listener.url, setup: app.setup, sweep: () => app.sweep(), stop };
}
