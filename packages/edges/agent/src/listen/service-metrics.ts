import type { RunRow } from '@cairn/changes-daemon';
import { agentRegistry } from './agent-registry.js';
import type { MetricsText } from './agent-registry.js';

/** Runs of one kind that ended in one way, in an agent of a service. */
export interface EndedRuns extends Pick<RunRow, 'kind' | 'status'> {
  readonly count: number;
}

/** Facts that metrics read when they are asked for. */
interface MeasuredAgent {
  readonly ended: () => Iterable<EndedRuns>;
  readonly running: () => number;
  /** Seconds since the last answer of the service. */
  readonly answerAge: () => number;
}

/** Returns the function that makes the text of Prometheus for an agent of a service. */
export function serviceAgentMetrics(agent: MeasuredAgent): () => Promise<MetricsText> {
  const load = async () => {
    const base = await agentRegistry();
    return {
      ...base,
      running: base.gauge('runs_running', 'Runs that the agent has.', []),
      answerAge: base.gauge('answer_age_seconds', 'Time since the last answer of the service.', []),
    };
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async () => {
    const metrics = await (loaded ??= load());
    metrics.ended.reset();
    for (const { kind, status, count } of agent.ended()) metrics.ended.inc({ kind, status }, count);
    metrics.running.set(agent.running());
    metrics.answerAge.set(agent.answerAge());
    return metrics.text();
  };
}
