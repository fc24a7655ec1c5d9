import { urnName } from '@cairn/addresses';
import type { EngineEvent, OperationResult } from '@cairn/engine';
import { goJson } from '@cairn/state';
import type { JsonObject } from '@cairn/state';

/**
 * The one line of `--output json` (state.md 8.2): how it ended, the duration in nanoseconds, counts by kind and the resources that steps were
 * taken for; what stayed as it was is left out unless `showSames`.
 */
export function resultLine(
  events: readonly EngineEvent[],
  { summary }: Pick<OperationResult, 'summary'>,
  showSames: boolean,
): string {
  const resources = events.flatMap((event) =>
    event.t === 'step-ended' && (showSames || event.step.kind !== 'same') ? [resource(event)] : [],
  );
  const line: JsonObject = {
    result: summary.result === 'cancelled' ? 'canceled' : summary.result,
    duration: Math.round(summary.durationMs * 1e6),
    ...(Object.keys(summary.changes).length === 0 ? {} : { summary: { ...summary.changes } as JsonObject }),
    ...(resources.length === 0 ? {} : { resources }),
  };
  return `${goJson(line)}\n`;
}

function resource({ step }: Extract<EngineEvent, { t: 'step-ended' }>): JsonObject {
  const parent = (step.new ?? step.old)?.parent;
  return {
    urn: step.urn,
    type: step.type,
    name: urnName(step.urn),
    op: step.kind === 'refresh' && step.refreshResult !== undefined ? step.refreshResult : step.kind,
    ...(parent === undefined ? {} : { parent }),
  };
}
