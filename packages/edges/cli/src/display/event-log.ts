import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { cairnError, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic, DiagnosticDetails, ErrorCode } from '@cairn/diagnostics';
import type { EngineEvent, OperationKind } from '@cairn/engine';
import type { StackFlags } from '../flags/operation.js';
import { isAlias } from '../terminal/called-as.js';
import type { CommandContext } from '../command-context.js';
import type { ExchangeSteps } from './exchange-steps.js';
import { JsonEventLines } from './json-events.js';

/** Receives the events of one pass for `--event-log`. */
interface EventLog {
  event(event: EngineEvent): void;
  /** Reports that the operation could not continue. */
  failed(message: string): void;
  /**
   * Writes the last event and waits until everything has arrived. Returns a warning if it has not, which is not a
   * failure of the operation.
   */
  close(): Promise<Diagnostic | undefined>;
}

/** Receives lines, one for each event. */
interface Sink {
  readonly write: (line: string) => void;
  readonly close: () => Promise<void>;
}

const TCP = 'tcp://';

/**
 * Opens the target of `--event-log`: a file, which is emptied first, or `tcp://host:port` of a server for the event
 * stream [EVT-1]. Returns undefined without the flag. Throws CAIRN-EVENT-LOG.
 */
export async function openEventLog(
  context: CommandContext,
  flags: StackFlags,
  operation: OperationKind,
  exchange: ExchangeSteps,
): Promise<EventLog | undefined> {
  const target = flags.eventLog;
  if (target === undefined) return undefined;
  const sink = target.startsWith(TCP)
    ? await tcpSink(target.slice(TCP.length))
    : await fileSink(path.resolve(context.cwd, target));
  const lines = new JsonEventLines({
    write: sink.write,
    showSecrets: flags.showSecrets === true,
    operation,
    exchange,
    internal: true,
    changesOnly: context.env['CAIRN_EVENT_LOG'] === 'changes',
    ours: !isAlias(context),
    now: context.now,
  });
  return {
    event: (event) => lines.event(event),
    failed: (message) => lines.failed(message),
    async close() {
      lines.close();
      return sink.close().then(
        () => undefined,
        (error: unknown) => warningDiagnostic(...failure(target, error)),
      );
    },
  };
}

async function fileSink(file: string): Promise<Sink> {
  const stream = createWriteStream(file, { mode: 0o600 });
  let problem: Error | undefined;
  stream.on('error', (error) => (problem = error));
  await Promise.race([once(stream, 'open'), once(stream, 'close')]).catch((error: unknown) => {
    throw cairnError(...failure(file, error));
  });
  return {
    write: (line) => void stream.write(line),
    async close() {
      await new Promise<void>((resolve) => stream.end(resolve));
      if (problem !== undefined) throw problem;
    },
  };
}

async function tcpSink(address: string): Promise<Sink> {
  const { openEventStream } = await import('@cairn/wire/events-client');
  const stream = openEventStream(address);
  return { write: (line) => stream.send(line.trimEnd()), close: () => stream.close() };
}

function failure(target: string, error: unknown): readonly [ErrorCode, string, DiagnosticDetails] {
  const hint = 'Name a file that can be written, or tcp://host:port of a program that receives events.';
  return ['CAIRN-EVENT-LOG', `cannot write the events to ${target}`, { causes: [messageOf(error)], hint }];
}
