import { Client, credentials } from '@grpc/grpc-js';
import { Empty } from '../generated/google/protobuf/empty.js';
import { EventRequest, EventsDefinition } from '../generated/pulumi/events.js';
import { MAX_MESSAGE_BYTES } from '../rpc/limits.js';
import { methodPath } from '../rpc/method.js';

/** An open stream of events to somebody who listens. */
interface EventStream {
  /** Sends the text of one event. Never throws and never waits. */
  send(event: string): void;
  /** Ends the stream and waits until the listener has answered. Rejects with what went wrong since it was opened. */
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
  // Whoever closes the stream meets the failure.
  answered.catch(() => undefined);
  const call = client.makeClientStreamRequest(
    methodPath(EventsDefinition, EventsDefinition.methods.streamEvents),
    (message: EventRequest) => Buffer.from(EventRequest.encode(message).finish()),
    (bytes) => Empty.decode(bytes),
    (error) => (error === null ? succeed() : fail(error)),
  );
  // The failure of a call comes to its callback as well.
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
