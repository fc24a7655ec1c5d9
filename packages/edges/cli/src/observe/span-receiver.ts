import { sameUserGuard, startServer } from '@cairn/wire/server';
import { spansJson } from '@cairn/wire/watch';

/** Receives the spans of plugins and programs. */
interface SpanReceiver {
  /** `127.0.0.1:<port>`. */
  readonly address: string;
  close(): Promise<void>;
}

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

/** Receives spans of other processes in OpenTelemetry's protocol over gRPC, and passes them on in its JSON. */
export async function receiveSpans(onDocument: (document: object) => void): Promise<SpanReceiver> {
  const server = await startServer({
    services: [
      {
        name: 'opentelemetry.proto.collector.trace.v1.TraceService',
        unary: new Map([
          [
            EXPORT,
            async (body: Uint8Array) => {
              onDocument(spansJson(body));
              return new Uint8Array();
            },
          ],
        ]),
        streams: new Map(),
      },
    ],
    guard: sameUserGuard({ takesUnknown: () => true }),
  });
  return { address: server.address, close: () => server.close(500) };
}
