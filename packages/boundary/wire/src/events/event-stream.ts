import { Client, credentials } from '@grpc/grpc-js';
import { Empty } from '../generated/google/protobuf/empty.js';
import { EventRequest, EventsDefinition } from '../generated/pulumi/events.js';
import { MAX_MESSAGE_BYTES } from '../rpc/limits.js';
import { methodPath } from '../rpc/method.js';

/** Open stream of events to a listener. */
interface EventStream {
  /** Sends the text of one event. Never throws and never waits. */
  send(event: string): void;
  /** Ends the stream and waits for the listener's answer. Rejects with the first failure since it was opened. */
  close(): Promise<void>;
}

/** Opens a stream to a listener at `host:port` that serves `pulumirpc.Events` [EVT-1]. */
export function openEventStream(address: string): EventStream {
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  });
  let fail: (error: Error) => void;
  let succeed: () => void;
  const answered = new Promise<void>((resolve, reject) => {
    [succeed, fail] = [resolve, reject];
  });
  // The caller of `close` receives the failure.
  answered.catch(() => undefined);
  const call = client.makeClientStreamRequest(
    methodPath(EventsDefinition, EventsDefinition.methods.streamEvents),
    (message: EventRequest) => Buffer.from(EventRequest.encode(message).finish()),
    (bytes) => Empty.decode(bytes),
    (error) => (error === null ? succeed() : fail(error)),
  );
  // The callback receives the failure of the call as well.
  call.on('error', () => undefined);
  return {
    send: (event) => call.write(EventRequest.fromPartial({ event })),
    async close() {
      call.end();
      try {
        await answered;
      } finally {
        client.close();
      }
    },
  };
}
