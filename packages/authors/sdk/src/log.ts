import type { LogRequest } from '@cairn/wire';
import { STATE } from './resource/state.js';
import type { Resource } from './resource/resource.js';
import { deployment } from './runtime/deployment.js';

/** Options of a message: its resource and how it is shown. */
export interface LogOptions {
  /** Resource that the message is about. */
  readonly resource?: Resource | undefined;
  /** Groups the chunks of one stream. 0 for no stream. */
  readonly streamId?: number | undefined;
  /** True for a status line that need not be kept. */
  readonly ephemeral?: boolean | undefined;
}

function send(severity: LogRequest['severity']): (message: string, options?: LogOptions) => Promise<void> {
  return async (message, options = {}) => {
    const { engine, pending, failures } = deployment();
    if (severity === 'error') failures.noteLoggedError();
    const work = async (): Promise<void> => {
      const urn = options.resource === undefined ? '' : (await options.resource[STATE].registered()).urn;
      await engine.log({
        severity,
        message,
        urn,
        streamId: options.streamId ?? 0,
        ephemeral: options.ephemeral ?? false,
      });
    };
    const sent = pending.track({ kind: 'log', what: 'a log message', declaredAt: undefined }, work());
    await sent.catch((error: unknown) => failures.report(error));
  };
}

/**
 * Messages to the user, shown with the operation. They need not be awaited. A program that logs an error does not end
 * with success.
 */
export const log = {
  debug: send('debug'),
  info: send('info'),
  warn: send('warning'),
  error: send('error'),
};
