import { CairnError, messageOf } from '@cairn/diagnostics';
import { pino } from 'pino';
import type { Answered } from '../routes/answer-route.js';

/** Log of the service: JSON lines without tokens, bodies or paths. */
export interface ServiceLog {
  note(text: string): void;
  answered(request: Answered): void;
  failed(what: string, thrown: unknown): void;
}

/** Returns a log that writes lines to a stream. */
export function serviceLog(stream: { write(line: string): void }): ServiceLog {
  const log = pino({ base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return {
    note: (text) => log.info(text),
    answered: ({ fault, ms, ...rest }) => {
      const request = { ...rest, ms: Math.round(ms) };
      if (fault === undefined) log.info(request, 'request');
      else log.error({ ...request, cause: causeOf(fault) }, 'request failed');
    },
    failed: (what, thrown) => log.error({ cause: causeOf(thrown) }, `cannot ${what}`),
  };
}

/** Errors of the store and of the state contain no secrets; of others, the message and the place are kept. */
function causeOf(thrown: unknown): string {
  if (thrown instanceof CairnError)
    return thrown.diagnostics.map(({ code, summary }) => `${code}: ${summary}`).join('; ');
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : messageOf(thrown);
}
