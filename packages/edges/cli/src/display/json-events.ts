import { goJson, goStruct } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import { STEP_KINDS, changesNothing, isCounted } from '@cairn/engine';
import type { EngineEvent } from '@cairn/engine';
import { stripMarkup } from '../terminal/paint.js';
import type { Display, EventJsonStyle } from './display.js';
import { eventJson, pageJson, programLineJson, textJson, withoutOurs } from './event-json.js';
import type { BodiedEvent } from './event-json.js';
import { isInternal } from './exchange-steps.js';
import type { ExchangeSteps } from './exchange-steps.js';
import { ProgramLines } from './program-lines.js';
import type { ProgramLine } from './program-lines.js';

/** Options of the writer of event lines. */
interface JsonEventOptions extends EventJsonStyle {
  readonly write: (text: string) => void;
  /** Includes events of the engine's internal work: default providers, and steps that only tidy the state. */
  readonly internal: boolean;
  /** Includes of steps only the ends of those that change something. Defaults to false. */
  readonly changesOnly?: boolean;
  /** Includes data without a field in the format. It is omitted under the name of the other tool. */
  readonly ours: boolean;
  readonly now: () => Date;
  /** Steps of the pass in the exchange format. */
  readonly exchange: ExchangeSteps;
}

/**
 * Writes every event as one JSON object on a line, numbered from 0. Omitted events are counted too. The last one is
 * `cancelEvent`, even after success [EVT-1].
 */
export class JsonEventLines implements Display {
  readonly #options: JsonEventOptions;
  readonly #output = new ProgramLines();
  readonly #progress = { ended: 0, inDoubt: false };
  #sequence = 0;

  constructor(options: JsonEventOptions) {
    this.#options = options;
  }

  event(event: EngineEvent): void {
    if (event.t === 'program-output') return this.#outputLines(this.#output.take(event));
    if (event.t === 'summary') this.#outputLines(this.#output.rest());
    this.#bodied(event);
  }

  /** Reports that the operation ended without a result, because it could not continue. */
  failed(message: string): void {
    this.#line({ errorEvent: { error: stripMarkup(message) } });
  }

  say(line: string): void {
    this.#line({ stdoutEvent: textJson(line) });
  }

  close(page?: string): void {
    this.#line({ cancelEvent: pageJson(page) });
  }

  #outputLines(lines: readonly ProgramLine[]): void {
    for (const line of lines) this.#line(programLineJson(line));
  }

  #bodied(given: BodiedEvent): void {
    const event = 'step' in given ? { ...given, step: this.#options.exchange.take(given) } : given;
    const body =
      this.#options.changesOnly && 'step' in given && changesNothing(given)
        ? undefined
        : eventJson(event, this.#options, this.#progress);
    if (event.t === 'step-ended' && STEP_KINDS[event.step.kind].logical && isCounted(event.step))
      this.#progress.ended += 1;
    else if (event.t === 'step-failed') this.#progress.inDoubt ||= event.inDoubt;
    if (body === undefined) return;
    if (this.#options.internal || !isInternal(event)) this.#line(body);
    else this.#sequence += 1;
  }

  #line(body: JsonObject): void {
    const { now, ours, write } = this.#options;
    const timestamp = Math.floor(now().getTime() / 1000);
    const fields = ours ? body : withoutOurs(body);
    write(`${goJson(goStruct({ sequence: this.#sequence, timestamp, ...fields }), { structs: true })}\n`);
    this.#sequence += 1;
  }
}
