import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogRequest } from '@cairn/wire';
import type { Diagnostic } from '@cairn/tfplugin/protocol6';
import { failureDiagnostic } from '../diagnostics.js';
import { diagnosticMessages } from './messages.js';
import type { LogLevel, PluginLog } from './log.js';

const LEVELS = { debug: 'debug', info: 'info', warning: 'warn', error: 'error' } as const satisfies Record<
  LogRequest['severity'],
  LogLevel
>;

/** State of a call while it is answered. */
interface Call {
  readonly method: string;
  readonly type: string;
  readonly warnings: string[];
}

/** Answers calls. Messages of handlers are logged, and their warnings are added to the answer. */
export class CallResponder {
  readonly #current = new AsyncLocalStorage<Call>();
  readonly #log: PluginLog;

  constructor(log: PluginLog) {
    this.#log = log;
  }

  /** Receives a message of a handler. */
  readonly hear = ({ severity, message }: LogRequest): void => {
    const call = this.#current.getStore();
    if (severity === 'warning' && call !== undefined) call.warnings.push(message);
    this.#log.write(LEVELS[severity], message, call === undefined ? {} : keysOf(call));
  };

  /** Returns an answer with diagnostics. If the work fails, the answer is `nothing` with the error. */
  async answered<A extends { diagnostics: Diagnostic[] }>(
    method: string,
    type: string,
    nothing: A,
    work: () => Promise<A>,
  ): Promise<A> {
    const call = { method, type, warnings: [] };
    const began = performance.now();
    const answer = await this.#current.run(call, work).catch((error: unknown) => {
      const diagnostics = diagnosticMessages([failureDiagnostic(`answer ${method}`, error)]);
      return { ...nothing, diagnostics };
    });
    const ms = Math.round(performance.now() - began);
    this.#log.write('debug', 'answered', { ...keysOf(call), ms, diagnostics: answer.diagnostics.length });
    return { ...answer, diagnostics: [...answer.diagnostics, ...warningMessages(call)] };
  }
}

function warningMessages({ warnings, type }: Call): Diagnostic[] {
  return diagnosticMessages(
    warnings.map((detail) => ({
      severity: 'warning' as const,
      summary: `${type} says`,
      detail,
      attribute: undefined,
    })),
  );
}

function keysOf({ method, type }: Call): Readonly<Record<string, string>> {
  return { tf_rpc: method, ...(type !== '' && { tf_resource_type: type }) };
}
