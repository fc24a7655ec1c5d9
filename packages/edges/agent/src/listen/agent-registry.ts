/** Text of Prometheus with its media type. */
export interface MetricsText {
  readonly type: string;
  readonly text: string;
}

/** Returns a registry of metrics with those that every agent has. Loads the library. */
export async function agentRegistry() {
  const { Counter, Gauge, Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    ended: new Counter({
      ...{ name: 'cairn_agent_runs_ended_total', help: 'Runs that ended, by their end.', registers },
      labelNames: ['kind', 'status'] as const,
    }),
    gauge: <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
      new Gauge({ name: `cairn_agent_${name}`, help, labelNames, registers }),
    text: async (): Promise<MetricsText> => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
