import { EventRequest, EventsDefinition } from '../generated/pulumi/events.js';
import { Http2Caller } from '../rpc/http2-caller.js';
import type { DuplexCall } from '../rpc/http2-caller.js';
import { methodPath } from '../rpc/method.js';

/** Open stream of events to a listener. */
interface EventStream {
  /** Sends the text of one event. Never throws and never waits. */
  send(event: string): void;
  /** Ends the stream and waits for the listener's answer. Rejects with the first failure since it was opened. */
  close(): Promise<void>;
}

const PATH = methodPath(EventsDefinition, EventsDefinition.methods.streamEvents);

/** Opens a stream to a listener at `host:port` that serves `pulumirpc.Events` [EVT-1]. */
export function openEventStream(address: string): EventStream {
  let caller: Http2Caller | undefined;
  let call: DuplexCall | undefined;
  const answered = new Promise<void>((resolve, reject) => {
    caller = new Http2Caller(address);
    call = caller.open(
      PATH,
      {},
      {
        onMessage: () => {},
        onEnd: (error) => (error === undefined ? resolve() : reject(error)),
      },
    );
  });
  // The caller of `close` receives the failure.
  answered.catch(() => undefined);
  return {
    send: (event) => void call?.send(EventRequest.encode({ event }).finish()),
    async close() {
      call?.end();
      try {
        await answered;
      } finally {
        caller?.close();
      }
    },
  };
}
