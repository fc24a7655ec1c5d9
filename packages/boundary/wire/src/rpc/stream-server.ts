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
 * Serves framed calls with the handlers of the unary methods. Calls run side by side; answers are sent as they become
 * available.
 */
export function serveFrames(handlers: ReadonlyMap<string, UnaryHandler>, sink: FrameSink): FrameServer {
  const queue = new FrameQueue(sink);
  const running = new Map<number, AbortController | undefined>();
  let onIdle: (() => void) | undefined;
  let gone = false;

  const answer = (frame: Frame): void => {
    running.delete(frame.id);
    if (!gone) queue.push(frame);
    if (running.size === 0) whenSent();
  };
  const whenSent = (): void => {
    if (onIdle === undefined) return;
    if (queue.empty || gone) onIdle();
    else setImmediate(whenSent);
  };
  const start = (frame: Frame): void => {
    const { id } = frame;
    running.set(id, undefined);
    run(handlers, frame, new FramedCall(running, id)).then(
      (body) => answer({ ...EMPTY_FRAME, id, body }),
      (error: unknown) => answer({ ...EMPTY_FRAME, id, ...frameStatus(error) }),
    );
  };

  return {
    receive(message) {
      for (const frame of Frames.decode(message).frames) {
        if (frame.cancel) running.get(frame.id)?.abort();
        else start(frame);
      }
    },
    finish(done) {
      onIdle = done;
      if (running.size === 0) whenSent();
    },
    abort() {
      gone = true;
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
    let controller = this.#running.get(this.#id);
    if (controller === undefined) {
      controller = new AbortController();
      this.#running.set(this.#id, controller);
    }
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
  const { code, message, details } = endStatus(thrown);
  return { status: code, message, details };
}
