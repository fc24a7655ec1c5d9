import type { Urn } from '@cairn/addresses';
import { EngineLog } from '@cairn/wire';
import type { LogRequest } from '@cairn/wire';
import type { HandlerLog } from '../handler-context.js';

/** Messages of handlers: they reach the engine before the answer of their handler. */
export class HandlerMessages extends EngineLog {
  /** What a handler writes to. */
  about(urn: Urn, redact: (text: string) => string): HandlerLog {
    const say = (severity: LogRequest['severity'], ephemeral: boolean) => (text: string) =>
      this.send({ severity, message: redact(text), urn, streamId: 0, ephemeral });
    return {
      status: say('info', true),
      debug: say('debug', false),
      info: say('info', false),
      warning: say('warning', false),
    };
  }
}
