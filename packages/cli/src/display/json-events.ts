import { goJson, goStruct } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import { isDefaultProviderName, isProviderType, urnName } from '@cairn/addresses';
import { STEP_KINDS } from '@cairn/engine';
import type { EngineEvent } from '@cairn/engine';
import { stripMarkup } from '../terminal/paint.js';
import type { Display } from './display.js';
import { eventJson, textJson } from './event-json.js';
import type { EventJsonStyle } from './event-json.js';

/** What the writer of event lines is given. */
export interface JsonEventOptions extends EventJsonStyle {
  readonly write: (text: string) => void;
  /** Events of what the engine does for itself too: default providers, and steps that only keep the state in order. */
  readonly internal: boolean;
  readonly now: () => Date;
}

/** One JSON object a line for every event, numbered from 0, those that are left out included; the last one is `cancelEvent`, also after success (state.md 8.1). */
export function jsonEventLines(options: JsonEventOptions): Display {
  let sequence = 0;
  const progress = { ended: 0, inDoubt: false };
  const line = (body: JsonObject): void => {
    const timestamp = Math.floor(options.now().getTime() / 1000);
    options.write(`${goJson(goStruct({ sequence, timestamp, ...body }), { structs: true })}\n`);
    sequence += 1;
  };
  return {
    event(event) {
      const body = eventJson(event, options, progress);
      if (event.t === 'step-ended' && STEP_KINDS[event.step.kind].logical) progress.ended += 1;
      else if (event.t === 'step-failed') progress.inDoubt ||= event.inDoubt;
      if (body === undefined) return;
      if (options.internal || !isInternal(event)) line(body);
      else sequence += 1;
    },
    failed: (error) => line({ errorEvent: { error: stripMarkup(error) } }),
    say: (text) => line({ stdoutEvent: textJson(text) }),
    close: () => line({ cancelEvent: {} }),
  };
}

function isInternal(event: EngineEvent): boolean {
  if (!('step' in event)) return false;
  const { kind, type, urn } = event.step;
  return kind === 'remove-pending-replace' || (isProviderType(type) && isDefaultProviderName(urnName(urn)));
}
