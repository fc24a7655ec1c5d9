import { RUN_TRANSITIONS, hasRunEnded } from '@cairn/changes-daemon';
import type { RunStatus } from '@cairn/changes-daemon';
import type { RunLedger } from '../runs/ledger.js';
import { agentRegistry } from './agent-registry.js';
import type { MetricsText } from './agent-registry.js';

/** Facts that metrics read when they are asked for. */
interface MeasuredAgent {
  readonly ledger: RunLedger;
  readonly now: () => Date;
  /** RFC 3339 time until which the lease is valid. */
  readonly leaseUntil: () => string;
}

/** Returns the function that makes the text of Prometheus. The library is loaded with the first call. */
export function agentMetrics({ ledger, now, leaseUntil }: MeasuredAgent): () => Promise<MetricsText> {
  // Runs that ended before this process are not its own.
  const counted = new Set([...ledger.runs.values()].filter(isEnded).map(({ id }) => id));
  const load = async () => {
    const base = await agentRegistry();
    const { gauge } = base;
    return {
      ...base,
      open: gauge('runs_open', 'Runs that have not ended.', ['status']),
      queued: gauge('requests_queued', 'Requests that have not begun.', []),
      queueAge: gauge('queue_age_seconds', 'Age of the oldest request that has not begun.', []),
      drift: gauge('drifted_resources', 'Resources that the last look found to differ.', ['stack']),
      lease: gauge('lease_seconds', 'Time for which the lease of the folder is valid.', []),
    };
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async () => {
    const metrics = await (loaded ??= load());
    const secondsTo = (time: string): number => (Date.parse(time) - now().getTime()) / 1000;
    for (const run of ledger.runs.values()) {
      if (!isEnded(run) || counted.has(run.id)) continue;
      counted.add(run.id);
      metrics.ended.inc({ kind: run.kind, status: run.status });
    }
    for (const id of counted) if (!ledger.runs.has(id)) counted.delete(id);
    const open = [...ledger.openRuns];
    for (const status of Object.keys(RUN_TRANSITIONS) as RunStatus[])
      if (!hasRunEnded(status))
        metrics.open.set({ status }, open.filter((run) => run.status === status).length);
    const queued = [...ledger.queuedRequests];
    metrics.queued.set(queued.length);
    metrics.queueAge.set(Math.max(0, ...queued.map(({ at }) => -secondsTo(at))));
    for (const [stack, { resources }] of ledger.drift) metrics.drift.set({ stack }, resources.length);
    metrics.lease.set(secondsTo(leaseUntil()));
    return metrics.text();
  };
}

const isEnded = ({ status }: { readonly status: RunStatus }): boolean => hasRunEnded(status);
