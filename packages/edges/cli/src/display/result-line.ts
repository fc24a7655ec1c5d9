import { urnName } from '@cairn/addresses';
import { isInternalStep, operationName } from '@cairn/engine';
import type { EngineEvent, EngineResult, StepView } from '@cairn/engine';
import { goJson, goStruct } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import { resourceChanges } from '@cairn/operations';
import type { ProgramConfig } from '@cairn/workspace';
import type { Answer } from './answer-display.js';
import { pageJson } from './event-json.js';

/**
 * The one line of `--output json` [EVT-4]: the outcome, the duration in nanoseconds, counts by kind, and the resources
 * that had steps. Unchanged resources are omitted unless `showSames` is set.
 */
export class ResultLine implements Answer {
  readonly #showSames: boolean;
  readonly #resources: JsonObject[] = [];

  constructor(showSames: boolean) {
    this.#showSames = showSames;
  }

  take(event: EngineEvent): void {
    if (event.t === 'step-ended' && isShown(event.step, this.#showSames))
      this.#resources.push(resourceJson(event.step));
  }

  text({ summary }: Pick<EngineResult, 'summary'>, _program?: ProgramConfig, page?: string): string {
    const changes = resourceChanges(summary);
    const line = goStruct({
      result: summary.result === 'cancelled' ? 'canceled' : summary.result,
      duration: Math.round(summary.durationMs * 1e6),
      ...(Object.keys(changes).length === 0 ? {} : { summary: changes }),
      ...(this.#resources.length === 0 ? {} : { resources: this.#resources }),
      ...pageJson(page),
    });
    return `${goJson(line, { structs: true })}\n`;
  }
}

function isShown(step: StepView, showSames: boolean): boolean {
  return !isInternalStep(step) && (showSames || step.kind !== 'same');
}

function resourceJson(step: StepView): JsonObject {
  const parent = (step.new ?? step.old)?.parent;
  return goStruct({
    urn: step.urn,
    type: step.type,
    name: urnName(step.urn),
    op: operationName(step.kind),
    ...(parent === undefined ? {} : { parent }),
  });
}
