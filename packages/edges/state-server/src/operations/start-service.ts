import { retentionOf } from '@cairn/backends';
import type { ServicePorts } from '../calls/service-ports.js';
import { trustedProxies } from '../domain/trusted-proxies.js';
import type { TrustedProxies } from '../domain/trusted-proxies.js';
import { listenOn } from './listen.js';
import type { ListenAddress, SlowLimits } from './listen.js';
import { isOwnHost, otherHost } from './own-host.js';
import { openServiceApp } from './service-app.js';
import type { ServiceLog } from './service-log.js';
import type { TlsFiles } from './tls-files.js';
import { tracedStore } from './traced-store.js';
import type { PostHook } from '@cairn/http-api/hooks';
import type { ChangeCalls } from '../calls/changes.js';
import type { ConsoleFiles } from '../routes/console-files.js';
import type { Answered } from '../routes/answer-route.js';
import type { ServiceStore } from '../store/service-store.js';

/** Time between two searches for expired leases. */
const SWEEP_MS = 10_000;
/** Time between two removals of what is not needed. */
const CLEAN_MS = 6 * 3_600_000;

/** Options of a start. */
interface StartOptions {
  /** Proxies whose X-Forwarded-For counts. Defaults to none. */
  readonly proxies?: TrustedProxies | undefined;
  /** Certificate, if the service speaks TLS itself. */
  readonly tls?: TlsFiles | undefined;
  readonly slow?: SlowLimits | undefined;
  /** Time for which events of updates that ended are kept, in milliseconds. Defaults to for ever. */
  readonly eventsMs?: number | undefined;
  /** Time for which states of old versions are kept, in milliseconds. Defaults to for ever. */
  readonly statesMs?: number | undefined;
  /** Files of the console, served at `/`. Defaults to none. */
  readonly files?: ConsoleFiles | undefined;
  /** Changes of stacks, where tools work on the store directly. Defaults to those that the service keeps. */
  readonly changes?: ChangeCalls | undefined;
  /** Posts to webhooks. Without it another process does. */
  readonly post?: PostHook | undefined;
  /** Refuses requests that were sent to another host, or by a page of another one. Defaults to false. */
  readonly ownHostOnly?: boolean | undefined;
  /** Address at which Prometheus reads metrics. Defaults to none. */
  readonly metrics?: ListenAddress | undefined;
}

/** Service that listens. */
export interface RunningService {
  /** Address with the port that was chosen. */
  readonly url: string;
  /** Address of the metrics, if they are served. */
  readonly metricsUrl: string | undefined;
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
  options: StartOptions = {},
): Promise<RunningService> {
  const {
    proxies = trustedProxies([]),
    tls,
    slow,
    eventsMs,
    statesMs,
    files,
    changes,
    post,
    metrics: metricsAddress,
  } = options;
  await ports.store.hold?.(log.failed);
  const store = tracedStore(ports.store);
  const metered = metricsAddress && (await openMetrics(store, metricsAddress, log.failed));
  const answered = (request: Answered): void => {
    log.answered(request);
    metered?.metrics.answered(request);
  };
  const all = {
    ...{
      retention: retentionOf({}),
      ...ports,
      store,
      failed: log.failed,
      answered,
      proxies,
      files,
      changes,
      post,
    },
    observer: metered?.metrics,
  };
  const app = await openServiceApp(all);
  const isOwn = options.ownHostOnly === true ? isOwnHost : () => true;
  const fetch = (request: Request, env: object) => (isOwn(request) ? app.fetch(request, env) : otherHost());
  const direct = options.ownHostOnly === true ? undefined : app.direct;
  const listener = await listenOn(fetch, address, { tls, slow, direct });
  const sweeper = setInterval(
    () => void app.sweep().catch((thrown: unknown) => log.failed('look for lapsed updates', thrown)),
    SWEEP_MS,
  );
  sweeper.unref();
  const cleaner = setInterval(
    () =>
      void store
        .clean({ eventsMs, statesMs, now: ports.now })
        .catch((thrown: unknown) => log.failed('remove what is not needed', thrown)),
    CLEAN_MS,
  );
  cleaner.unref();
  const stop = async (): Promise<void> => {
    app.end();
    clearInterval(sweeper);
    clearInterval(cleaner);
    await listener.close();
    await metered?.listener.close();
    await app.close().catch((thrown: unknown) => log.failed('record refused calls', thrown));
    await ports.store.close();
  };
  return {
    url: listener.url,
    metricsUrl: metered?.listener.url,
    setup: app.setup,
    sweep: () => app.sweep(),
    stop,
  };
}

/** Serves metrics. Their library is loaded only where they are asked for. */
async function openMetrics(store: ServiceStore, address: ListenAddress, failed: ServiceLog['failed']) {
  const { serveMetrics, serviceMetrics } = await import('./metrics.js');
  const metrics = serviceMetrics(store);
  return { metrics, listener: await serveMetrics(metrics, address, failed) };
}
