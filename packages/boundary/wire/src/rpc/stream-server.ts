import { StatusError } from '../contracts/status.js';
import { Frames, StreamDefinition } from '../generated/cairn/stream.js';
import type { Frame } from '../generated/cairn/stream.js';
import { EMPTY_FRAME, FrameQueue, fitsFrame } from './frame-queue.js';
import type { FrameSink } from './frame-queue.js';
import { methodPath } from './method.js';
import type { CallContext, UnaryHandler } from './service.js';
import { endStatus } from './status-details.js';

/** Path of the stream service. */
export const STREAM_PATH = methodPath(StreamDefinition, StreamDefinition.methods.open);

/** Serving side of one stream. */
interface FrameServer {
  receive(message: Uint8Array): void;
  /** Ends the client's side of the stream. `done` is called when every call has been answered. */
  finish(done: () => void): void;
  /** Called when the client has disconnected. */
  abort(): void;
}

/**
 * Maximum number of calls that start in one turn of the event loop. Their answers leave before further calls start, so
 * that the client continues meanwhile, and what they have used is collected while it is young.
 */
const MOST_IN_TURN = 128;

/**
 * Serves framed calls with the handlers of the unary methods. Calls start in the order of their arrival and run side by
 * side; answers are sent as they become available.
 */
export function serveFrames(handlers: ReadonlyMap<string, UnaryHandler>, sink: FrameSink): FrameServer {
  const queue = new FrameQueue(sink);
  const running = new Map<number, AbortController | undefined>();
  let arrived: Frame[] = [];
  let hasTurn = false;
  let onIdle: (() => void) | undefined;
  let gone = false;

  const answer = (id: number, result: Partial<Frame>): void => {
    running.delete(id);
    if (!gone) queue.push({ ...EMPTY_FRAME, id, ...result });
    whenSent();
  };
  const whenSent = (): void => {
    if (onIdle === undefined || running.size > 0 || arrived.length > 0) return;
    if (queue.empty || gone) onIdle();
    else setImmediate(whenSent);
  };
  const start = (frame: Frame): void => {
    const { id } = frame;
    running.set(id, undefined);
    run(handlers, frame, new FramedCall(running, id)).then(
      (body) => answer(id, { body }),
      (error: unknown) => answer(id, frameStatus(error)),
    );
  };
  const startSome = (): void => {
    hasTurn = arrived.length > 0;
    if (hasTurn) setImmediate(startSome);
    for (const frame of arrived.splice(0, MOST_IN_TURN)) {
      if (frame.cancel) running.get(frame.id)?.abort();
      else start(frame);
    }
    whenSent();
  };

  return {
    receive(message) {
      arrived = arrived.concat(Frames.decode(message).frames);
      if (!hasTurn) startSome();
    },
    finish(done) {
      onIdle = done;
      whenSent();
    },
    abort() {
      gone = true;
      while (arrived.length > 0) startSome();
      for (const controller of running.values()) controller?.abort();
    },
  };
}

/**
 * Context of a framed call. A program may have tens of thousands of them under way, so it is small and creates nothing
 * in advance.
 */
class FramedCall implements CallContext {
  readonly #running: Map<number, AbortController | undefined>;
  readonly #id: number;

  constructor(running: Map<number, AbortController | undefined>, id: number) {
    this.#running = running;
    this.#id = id;
  }

  metadata(): undefined {
    return undefined;
  }

  get signal(): AbortSignal {
    const controller = this.#running.get(this.#id) ?? new AbortController();
    this.#running.set(this.#id, controller);
    return controller.signal;
  }
}

/** Not an async function: a suspended one would keep the frame's bytes while the handler works. */
function run(
  handlers: ReadonlyMap<string, UnaryHandler>,
  { method, body }: Frame,
  context: CallContext,
): Promise<Uint8Array> {
  const handler = handlers.get(method);
  if (handler === undefined) return Promise.reject(new StatusError('UNIMPLEMENTED', `no method ${method}`));
  return handler(body, context).then(fitting);
}

function fitting(body: Uint8Array): Uint8Array {
  if (!fitsFrame(body))
    throw new StatusError('RESOURCE_EXHAUSTED', `an answer of ${body.length} bytes is too large`);
  return body;
}

function frameStatus(thrown: unknown): Pick<Frame, 'status' | 'message' | 'details'> {
  const { code: status, message, details } = endStatus(thrown);
  return { status, message, details };
}
