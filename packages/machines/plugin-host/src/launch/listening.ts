import { messageOf } from '@cairn/diagnostics';
import type { OutputStream } from '@cairn/processes';
import type { RunningPlugin } from '@cairn/wire';
import { deferred } from '../deferred.js';
import type { PluginLimits } from '../options.js';
import type { PluginOutput } from './plugin-output.js';
import { readPortLine } from './port-line.js';

/** Process that has written nothing yet. */
export interface Started {
  /** Resolves with a description of its end. Never rejects. */
  readonly exit: Promise<string>;
  /** Returns the reason why it could not run at all, once it has ended, or undefined if it ran. */
  readonly why?: (() => string | undefined) | undefined;
  /** Stops the process. The grace defaults to the usual time. */
  stop(graceMs?: number): Promise<void>;
}

/** Returns the process of a plugin that the host of its language runs. */
export function startedByLanguage(running: RunningPlugin): Started {
  let refused: string | undefined;
  return {
    exit: running.exited.then(
      (code) => `exit code ${code}`,
      (error: unknown) => (refused = messageOf(error)),
    ),
    why: () => refused,
    stop: () => running.kill(),
  };
}

/** Plugin process that has said where it listens. */
export interface ListeningProcess {
  readonly port: number;
  /** Resolves with `exit code 3` or `signal SIGKILL` when it has ended. Never rejects. */
  readonly exit: Promise<string>;
  /** Returns the same once it has ended. */
  readonly ended: () => string | undefined;
  /** Interrupts, waits, kills. Resolves when it is gone. The grace defaults to the usual time. */
  stop(graceMs?: number): Promise<void>;
}

export type PluginOutputListener = (stream: OutputStream, text: string) => void;

/** Context for waiting for a port. */
interface Listening {
  readonly limits: Pick<PluginLimits, 'portMs'>;
  readonly output: PluginOutput;
  /** Aborted when the host closes: a plugin that is starting is abandoned. */
  readonly signal: AbortSignal;
  /** Takes output after the port. Defaults to `output`. */
  readonly onOutput?: PluginOutputListener | undefined;
  /** Returns the error to fail with. */
  readonly failure: (why: string) => Error;
}

/** Starts a process and waits for its port [PLUG-4]. A failure leaves no process running. */
export async function untilListening(
  context: Listening,
  start: (onOutput: PluginOutputListener) => Promise<Started>,
): Promise<ListeningProcess> {
  const { output, failure } = context;
  const port = deferred<number>();
  const giveUp = (why: string) => port.reject(failure(why));
  const further: PluginOutputListener = context.onOutput ?? ((stream, text) => output.write(stream, text));
  const started = await start(untilPort(further, port.resolve, giveUp));
  let ended: string | undefined;
  const exit = started.exit.then((status) => {
    ended = status;
    output.end();
    giveUp(started.why?.() ?? `it ended with ${status} before it printed its address`);
    return status;
  });
  try {
    return {
      port: await inTime(context, port.promise, giveUp),
      exit,
      ended: () => ended,
      stop: (graceMs) => started.stop(graceMs),
    };
  } catch (error) {
    await started.stop();
    throw error;
  }
}

/** Takes a process' output: its first line is the port, the rest is passed on. */
function untilPort(
  further: PluginOutputListener,
  found: (port: number) => void,
  giveUp: (why: string) => void,
): PluginOutputListener {
  let head: string | undefined = '';
  return (stream, text) => {
    if (stream === 'stderr' || head === undefined) return further(stream, text);
    const line = readPortLine(head + text);
    head = line.t === 'incomplete' ? line.text : undefined;
    if (line.t === 'port') {
      found(line.port);
      if (line.rest !== '') further('stdout', line.rest);
    } else if (line.t === 'junk') {
      giveUp(`it wrote ${JSON.stringify(line.line)} where its port was expected`);
    }
  };
}

/** Waits for the port within the limit, and until the host closes. */
async function inTime(
  { limits, signal }: Listening,
  port: Promise<number>,
  giveUp: (why: string) => void,
): Promise<number> {
  const abort = () => giveUp('the operation is ending');
  const late = () => giveUp(`it did not print its address within ${limits.portMs / 1000} s`);
  const timer = setTimeout(late, limits.portMs);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  return port.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  });
}
