import { urnName } from '@cairn/addresses';
import { isInternalStep, operationName } from '@cairn/engine';
import type { EngineEvent, OperationResult, StepView } from '@cairn/engine';
import { goJson, goStruct } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import { resourceChanges } from '@cairn/operations';

/**
 * Returns the one line of `--output json` [EVT-4]: the outcome, the duration in nanoseconds, counts by kind, and the
 * resources that had steps. Unchanged resources are omitted unless `showSames` is set.
 */
export function resultLine(
  events: readonly EngineEvent[],
  { summary }: Pick<OperationResult, 'summary'>,
  showSames: boolean,
): string {
  const resources = events.flatMap((event) =>
    event.t === 'step-ended' && isShown(event.step, showSames) ? [resource(event)] : [],
  );
  const changes = resourceChanges(summary);
  const line = goStruct({
    result: summary.result === 'cancelled' ? 'canceled' : summary.result,
    duration: Math.round(summary.durationMs * 1e6),
    ...(Object.keys(changes).length === 0 ? {} : { summary: changes }),
    ...(resources.length === 0 ? {} : { resources }),
  });
  return `${goJson(line, { structs: true })}\n`;
}

function isShown(step: StepView, showSames: boolean): boolean {
  return !isInternalStep(step) && (showSames || step.kind !== 'same');
}

function resource({ step }: Extract<EngineEvent, { t: 'step-ended' }>): JsonObject {
  const parent = (step.new ?? step.old)?.parent;
  return goStruct({
    urn: step.urn,
    type: step.type,
    name: urnName(step.urn),
    op: operationName(step.kind),
    ...(parent === undefined ? {} : { parent }),
  });
}
