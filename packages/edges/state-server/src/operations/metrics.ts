import { createServer } from 'node:http';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { ROUTES } from '@cairn/http-api';
import type { ServiceObserver } from '../calls/service-ports.js';
import type { Answered } from '../routes/answer-route.js';
import type { ServiceStore } from '../store/service-store.js';
import { bindServer } from './listen.js';
import type { ListenAddress, Listener } from './listen.js';

/** Metrics of the service. Labels have no names of users, stacks or paths. */
interface ServiceMetrics extends ServiceObserver {
  answered(request: Answered): void;
  /** Returns the text that Prometheus reads. */
  text(): Promise<string>;
}

/** Counts what the service does, and reads gauges of the store when they are asked for. */
export function serviceMetrics(store: Pick<ServiceStore, 'figures'>): ServiceMetrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    ...{ name: 'cairn_http_requests_total', help: 'Answered requests.', registers },
    labelNames: ['route', 'method', 'status'] as const,
  });
  const seconds = new Histogram({
    ...{ name: 'cairn_http_request_duration_seconds', help: 'Durations of requests.', registers },
    ...{
      labelNames: ['route'] as const,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    },
  });
  const ended = new Counter({
    ...{ name: 'cairn_updates_ended_total', help: 'Updates that ended, by their end.', registers },
    labelNames: ['status'] as const,
  });
  const entries = new Histogram({
    ...{ name: 'cairn_journal_batch_entries', help: 'Entries of stored journal batches.', registers },
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 1000],
  });
  const leases = new Gauge({
    ...{ name: 'cairn_updates_running', help: 'Updates that hold a lease.', registers },
  });
  const connections = new Gauge({
    ...{ name: 'cairn_database_connections', help: 'Connections to the database.', registers },
    labelNames: ['pool', 'state'] as const,
  });
  return {
    answered: ({ route, status, ms }) => {
      const method = route === 'none' ? '' : ROUTES[route].method;
      requests.inc({ route, method, status });
      seconds.observe({ route }, ms / 1000);
    },
    updateEnded: (status) => ended.inc({ status }),
    batchStored: (count) => entries.observe(count),
    text: async () => {
      const { running, pools } = await store.figures();
      leases.set(running);
      for (const { pool, ...states } of pools)
        for (const [state, count] of Object.entries(states)) connections.set({ pool, state }, count);
      return registry.metrics();
    },
  };
}

/** Serves metrics on an address of their own, which is not that of clients. */
export function serveMetrics(
  metrics: ServiceMetrics,
  address: ListenAddress,
  failed: (what: string, thrown: unknown) => void,
): Promise<Listener> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (thrown: unknown) => {
        failed('read the metrics', thrown);
        response.writeHead(503).end();
      },
    );
  });
  return bindServer(server, address, 'metrics');
}
