import type { Urn } from '@cairn/addresses';
import { EngineLog } from '@cairn/wire';
import type { LogRequest } from '@cairn/wire';
import type { HandlerLog } from '../handler-context.js';

/** Receives messages of handlers. Must not throw. */
export type LogListener = (message: LogRequest) => void;

/** Messages of handlers. They reach the engine before the answer of their handler. */
export class HandlerMessages extends EngineLog {
  readonly #listener: LogListener;

  /** `listener` receives the messages too, for processes that may have no engine. */
  constructor(listener: LogListener = () => {}) {
    super();
    this.#listener = listener;
  }

  /** Returns the log of a handler. */
  about(urn: Urn, redact: (text: string) => string): HandlerLog {
    const say = (severity: LogRequest['severity'], ephemeral: boolean) => (text: string) => {
      const message = { severity, message: redact(text), urn, streamId: 0, ephemeral };
      this.#listener(message);
      this.send(message);
    };
    return {
      status: say('info', true),
      debug: say('debug', false),
      info: say('info', false),
      warning: say('warning', false),
    };
  }
}
