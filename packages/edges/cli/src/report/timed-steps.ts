import { urnName } from '@cairn/addresses';
import { STEP_KINDS, isInternalStep } from '@cairn/engine';
import type { EngineEvent } from '@cairn/engine';
import type { Tone } from '@cairn/graphs';
import { TONES } from './operation-graph.js';

/** One step on the timeline. Times are milliseconds from any fixed moment. */
export interface TimedStep {
  readonly name: string;
  /** Words for the step, such as `creating`. */
  readonly words: string;
  readonly tone: Tone;
  readonly startMs: number;
  /** Undefined if it has no known end. */
  readonly endMs: number | undefined;
}

/** Steps with the times of their beginning and end, gathered from events. */
export class TimedSteps {
  readonly #steps = new Map<string, TimedStep>();

  take(event: EngineEvent, nowMs: number): void {
    if (event.t !== 'step-started' && event.t !== 'step-ended' && event.t !== 'step-failed') return;
    const { step, undo = false } = event;
    if (event.planning === true || isInternalStep(step) || step.kind === 'same') return;
    const key = `${undo ? 'undo ' : ''}${step.kind} ${step.urn}`;
    const doing = STEP_KINDS[step.kind].presentParticiple;
    const known = this.#steps.get(key);
    const startMs = known?.startMs ?? (event.t === 'step-started' ? nowMs : nowMs - event.elapsedMs);
    this.#steps.set(key, {
      name: urnName(step.urn),
      words: undo ? `undoing: ${doing}` : doing,
      tone: event.t === 'step-failed' ? 'failed' : TONES[step.kind],
      startMs,
      endMs: event.t === 'step-started' ? undefined : nowMs,
    });
  }

  /** Returns the steps in the order of their beginning. */
  all(): readonly TimedStep[] {
    return [...this.#steps.values()].sort((a, b) => a.startMs - b.startMs);
  }
}
