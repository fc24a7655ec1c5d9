import { goJson, goStruct } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import { STEP_KINDS, isCounted } from '@cairn/engine';
import { stripMarkup } from '../terminal/paint.js';
import type { Display, EventJsonStyle } from './display.js';
import { eventJson, programLineJson, textJson, withoutOurs } from './event-json.js';
import type { BodiedEvent } from './event-json.js';
import { ExchangeSteps, isInternal } from './exchange-steps.js';
import { ProgramLines } from './program-lines.js';

/** Options of the writer of event lines. */
interface JsonEventOptions extends EventJsonStyle {
  readonly write: (text: string) => void;
  /** Includes events of the engine's internal work: default providers, and steps that only tidy the state. */
  readonly internal: boolean;
  /** Includes data without a field in the format. It is omitted under the name of the other tool. */
  readonly ours: boolean;
  readonly now: () => Date;
}

/**
 * Writes every event as one JSON object on a line, numbered from 0. Omitted events are counted too. The last one is
 * `cancelEvent`, even after success [EVT-1].
 */
export function jsonEventLines(options: JsonEventOptions): Display {
  let sequence = 0;
  const progress = { ended: 0, inDoubt: false };
  const line = (body: JsonObject): void => {
    const timestamp = Math.floor(options.now().getTime() / 1000);
    const told = options.ours ? body : withoutOurs(body);
    options.write(`${goJson(goStruct({ sequence, timestamp, ...told }), { structs: true })}\n`);
    sequence += 1;
  };
  const steps = new ExchangeSteps();
  const said = new ProgramLines();
  const lineOf = (given: BodiedEvent): void => {
    const event = 'step' in given ? { ...given, step: steps.take(given) } : given;
    const body = eventJson(event, options, progress);
    const internal = isInternal(event);
    if (event.t === 'step-ended' && STEP_KINDS[event.step.kind].logical && isCounted(event.step))
      progress.ended += 1;
    else if (event.t === 'step-failed') progress.inDoubt ||= event.inDoubt;
    if (body === undefined) return;
    if (options.internal || !internal) line(body);
    else sequence += 1;
  };
  return {
    event(event) {
      if (event.t === 'program-output') return said.take(event).forEach((one) => line(programLineJson(one)));
      if (event.t === 'summary') said.rest().forEach((one) => line(programLineJson(one)));
      lineOf(event);
    },
    failed: (error) => line({ errorEvent: { error: stripMarkup(error) } }),
    say: (text) => line({ stdoutEvent: textJson(text) }),
    close: () => line({ cancelEvent: {} }),
  };
}
