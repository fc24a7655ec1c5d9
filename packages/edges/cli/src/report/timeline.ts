import { urnName } from '@cairn/addresses';
import { STEP_KINDS, isInternalStep } from '@cairn/engine';
import type { EngineEvent } from '@cairn/engine';
import { cutText, markup } from '@cairn/graphs';
import type { Markup, Tone } from '@cairn/graphs';
import { formatDuration } from '../terminal/duration.js';
import { STEP_TONES } from './operation-graph.js';

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
      tone: event.t === 'step-failed' ? 'failed' : STEP_TONES[step.kind],
      startMs,
      endMs: event.t === 'step-started' ? undefined : nowMs,
    });
  }

  /** Returns the steps in the order of their beginning. */
  all(): readonly TimedStep[] {
    return [...this.#steps.values()].sort((a, b) => a.startMs - b.startMs);
  }
}

/** Number of steps that fit on a timeline: the longest ones. */
const MOST_STEPS = 300;
const ROW = 20;
/** Width of the names and of the bars. */
const NAMES = 220;
const BARS = 900;
/** Number of lines across the bars. */
const MARKS = 5;

/** Returns a timeline with a bar for the start and duration of each step. Undefined if nothing took any time. */
export function timelineSection(steps: readonly TimedStep[]): Markup | undefined {
  if (steps.length === 0) return undefined;
  const times = steps.flatMap(({ startMs, endMs }) => [startMs, endMs ?? startMs]);
  const [begin, end] = times.reduce(
    ([least, most], each) => [Math.min(least, each), Math.max(most, each)] as const,
    [Infinity, -Infinity] as const,
  );
  const span = Math.max(1, end - begin);
  const tookMs = ({ startMs, endMs }: TimedStep): number => (endMs ?? end) - startMs;
  const longest = new Set([...steps].sort((a, b) => tookMs(b) - tookMs(a)).slice(0, MOST_STEPS));
  const shown = steps.filter((step) => longest.has(step));
  const height = (shown.length + 1) * ROW + 8;
  const width = NAMES + BARS + 110;
  const at = (ms: number): number => Math.round(NAMES + ((ms - begin) / span) * BARS);
  const marks = Array.from({ length: MARKS + 1 }, (_, index) => begin + (span * index) / MARKS);
  const left = steps.length - shown.length;
  return markup`<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>${
    left === 0 ? undefined : markup`<p>${left} shorter steps are not shown.</p>`
  }<div class="drawing" tabindex="0" role="region" aria-label="Timeline"><svg xmlns="http://www.w3.org/2000/svg" class="timeline" role="group" aria-label="Steps by time" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${marks.map(
  (ms) =>
    markup`<path class="grid" d="M${at(ms)} 18V${height}"/><text x="${at(ms)}" y="13" text-anchor="middle">${formatDuration(ms - begin)}</text>`,
)}
${shown.map((step, index) => {
  const y = (index + 1) * ROW + 4;
  const x = at(step.startMs);
  const bar = Math.max(2, at(step.endMs ?? end) - x);
  const took = step.endMs === undefined ? 'no known end' : formatDuration(tookMs(step));
  return markup`<g class="${step.tone}"><title>${step.name}: ${step.words}, ${took}</title><text x="8" y="${y + 11}">${cutText(step.name, 12, NAMES - 24)}</text><rect x="${x}" y="${y}" width="${bar}" height="14" rx="3"/><text x="${x + bar + 6}" y="${y + 11}">${took}</text></g>
`;
})}</svg></div></section>`;
}
