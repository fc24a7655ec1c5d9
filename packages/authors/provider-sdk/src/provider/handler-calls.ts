import process from 'node:process';
import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { secretMask } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { HandlerContext } from '../handler-context.js';
import { RunningCalls } from './calls.js';
import type { ProgramPlace } from './components.js';
import { HandlerMessages } from './log.js';
import type { LogListener } from './log.js';
import { retrier } from './retry.js';

/** The object that a handler works on. A function has none: its URN and name are empty. */
interface HandlerSubject {
  readonly urn: Urn;
  readonly name?: string;
}

/** A running call of a handler. */
interface HandlerCall {
  readonly place: ProgramPlace;
  /** Returns the context for the handler. Secrets of `sources` are removed from its messages. */
  readonly context: (subject: HandlerSubject, sources: readonly PropertyMap[]) => HandlerContext;
}

/** Runs handlers of one provider instance: their signals, messages, configuration and program. */
export class HandlerCalls {
  /** Configuration that handlers receive. */
  config: Readonly<Record<string, unknown>> = {};
  readonly #calls = new RunningCalls();
  readonly #log: HandlerMessages;
  readonly #startedIn: string | undefined;
  #programDirectory: string;

  /** `startedIn` is the program's folder if the process was started there. Otherwise an engine names it. */
  constructor(startedIn: string | undefined, onMessage: LogListener | undefined) {
    this.#log = new HandlerMessages(onMessage);
    this.#startedIn = startedIn;
    this.#programDirectory = startedIn ?? process.cwd();
  }

  /** A plugin that is already running is greeted by one engine after the other, each of which cancels it at its end. */
  welcome(engineAddress: string, programDirectory: string | undefined): void {
    this.#calls.welcome();
    this.#log.connect(engineAddress);
    if (this.#startedIn === undefined && programDirectory !== undefined && programDirectory !== '')
      this.#programDirectory = programDirectory;
  }

  attach(address: string): void {
    this.#log.connect(address);
  }

  /** Answers only after the handler's messages are sent, because the operation may end with the answer. */
  async answer<T>(timeoutSeconds: number, work: (call: HandlerCall) => Promise<T>): Promise<T> {
    try {
      return await this.#calls.run(timeoutSeconds, (signal) => work(this.#call(signal)));
    } finally {
      await this.#log.sent();
    }
  }

  cancel(): void {
    this.#calls.cancel();
  }

  async close(): Promise<void> {
    this.#calls.cancel();
    await this.#log.close();
  }

  #call(signal: AbortSignal): HandlerCall {
    const programDirectory = this.#programDirectory;
    return {
      place: { engineAddress: this.#log.engineAddress, programDirectory, signal },
      context: ({ urn, name = urn === '' ? '' : urnName(urn) }, sources) => {
        const redact = secretMask(sources);
        const [log, retry] = [this.#log.about(urn, redact), retrier(signal)];
        return { urn, name, signal, programDirectory, config: this.config, redact, log, retry };
      },
    };
  }
}
