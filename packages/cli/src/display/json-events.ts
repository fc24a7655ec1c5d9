import { goJson } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import { isDefaultProviderName, isProviderType, urnName } from '@cairn/addresses';
import type { EngineEvent } from '@cairn/engine';
import type { Display } from './display.js';
import { eventJson } from './event-json.js';

/** What the writer of event lines is given. */
export interface JsonEventOptions {
  readonly write: (text: string) => void;
  readonly showSecrets: boolean;
  /** Events of what the engine does for itself too: default providers, and steps that only keep the state in order. */
  readonly internal: boolean;
  readonly now: () => Date;
}

/** One JSON object a line for every event, numbered from 0, those that are left out included; the last one is `cancelEvent`, also after success (state.md 8.1). */
export function jsonEventLines(options: JsonEventOptions): Display {
  let sequence = 0;
  const line = (body: JsonObject): void => {
    const timestamp = Math.floor(options.now().getTime() / 1000);
    options.write(`${goJson({ sequence, timestamp, ...body })}\n`);
    sequence += 1;
  };
  return {
    event(event) {
      const body = eventJson(event, options);
      if (body === undefined) return;
      if (options.internal || !isInternal(event)) line(body);
      else sequence += 1;
    },
    say: (text) => line({ stdoutEvent: { message: text, color: 'never' } }),
    close: () => line({ cancelEvent: {} }),
  };
}

function isInternal(event: EngineEvent): boolean {
  if (!('step' in event)) return false;
  const { kind, type, urn } = event.step;
  return kind === 'remove-pending-replace' || (isProviderType(type) && isDefaultProviderName(urnName(urn)));
}
