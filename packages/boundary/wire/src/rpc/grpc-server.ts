import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import type {
  MethodDefinition,
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceDefinition,
  UntypedServiceImplementation,
  sendUnaryData,
} from '@grpc/grpc-js';
import { splitHostPort } from './address.js';
import { MAX_MESSAGE_BYTES } from './limits.js';
import { listenGuarded } from './peers/guarded-listener.js';
import { sameUserGuard } from './peers/peer-guard.js';
import type { PeerGuard } from './peers/peer-guard.js';
import type { CallContext, Service, StreamHandler, UnaryHandler } from './service.js';
import { DETAILS_KEY, TRAILER_DETAIL_BYTES, endStatus } from './status-details.js';
import { STREAM_PATH, serveFrames } from './stream-server.js';

/** Options of a server. */
interface ServerOptions {
  readonly services: readonly Service[];
  /** `host:port` or `unix:<path>`. Defaults to a free port on 127.0.0.1. */
  readonly address?: string | undefined;
  /** Also accept calls over one stream (proto/cairn/stream.proto). */
  readonly stream?: boolean | undefined;
  /**
   * Decides who may connect to a port. By default only processes of the same user, where the system can tell ({@link
   * sameUserGuard}).
   */
  readonly guard?: PeerGuard | undefined;
}

/** Server that listens. */
export interface RunningServer {
  /** Address for clients: `127.0.0.1:<port>` or `unix:<path>`. */
  readonly address: string;
  /** 0 for a socket file. */
  readonly port: number;
  /** Lets calls under way end for `graceMs` milliseconds (default 0), then cuts them off. Never throws. */
  close(graceMs?: number): Promise<void>;
}

/** Listens and serves until closed. Rejects if the address cannot be bound. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc-node.max_session_memory': 1024,
    'grpc-node.flow_control_window': 4 * 1024 * 1024,
  });
  const served = options.services.filter(({ unary, streams }) => unary.size + streams.size > 0);
  for (const service of served) server.addService(definitionOf(service), implementationOf(service));
  if (options.stream === true) addStream(server, options.services);
  const requested = options.address ?? '127.0.0.1:0';
  if (!requested.startsWith('unix:')) return onPort(server, requested, options.guard ?? sameUserGuard());
  await new Promise<number>((resolve, reject) => {
    server.bindAsync(requested, ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return { address: requested, port: 0, close: (graceMs = 0) => close(server, graceMs) };
}

/** Passes connections to the server once they have been admitted. */
async function onPort(server: Server, requested: string, guard: PeerGuard): Promise<RunningServer> {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = await listenGuarded(splitHostPort(requested), guard, (socket) =>
    injector.injectConnection(socket),
  );
  const { host, port } = listener;
  return {
    address: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    close: (graceMs = 0) => {
      listener.close();
      return close(server, graceMs);
    },
  };
}

/**
 * Closes the server. A connection that is cut off counts as ended: its session may never report that if the peer does
 * not hang up.
 */
async function close(server: Server, graceMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const cut = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(cut);
      resolve();
    });
  });
}

const same = (bytes: Buffer): Buffer => bytes;
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function method(
  path: string,
  requestStream: boolean,
  responseStream: boolean,
): MethodDefinition<Buffer, Uint8Array> {
  return {
    path,
    requestStream,
    responseStream,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: asBuffer,
    responseDeserialize: same,
  };
}

function definitionOf(service: Service): ServiceDefinition {
  return Object.fromEntries([
    ...[...service.unary.keys()].map((path) => [path, method(path, false, false)]),
    ...[...service.streams.keys()].map((path) => [path, method(path, false, true)]),
  ]);
}

function implementationOf(service: Service): UntypedServiceImplementation {
  return Object.fromEntries([
    ...[...service.unary].map(([path, handler]) => [path, unaryImplementation(handler)]),
    ...[...service.streams].map(([path, handler]) => [path, streamImplementation(handler)]),
  ]);
}

function unaryImplementation(handler: UnaryHandler) {
  return (call: ServerUnaryCall<Buffer, Uint8Array>, reply: sendUnaryData<Uint8Array>): void => {
    handler(call.request, contextOf(call)).then(
      (body) => reply(null, body),
      (error: unknown) => reply(serverError(error)),
    );
  };
}

function streamImplementation(handler: StreamHandler) {
  return async (call: ServerWritableStream<Buffer, Uint8Array>): Promise<void> => {
    try {
      for await (const message of handler(call.request, contextOf(call))) {
        if (call.cancelled) return;
        if (!call.write(message)) await drained(call);
      }
      call.end();
    } catch (error) {
      call.emit('error', serverError(error));
    }
  };
}

function drained(call: ServerWritableStream<Buffer, Uint8Array>): Promise<void> {
  return new Promise((resolve) => {
    call.once('drain', resolve);
    call.once('cancelled', resolve);
  });
}

interface CancellableCall {
  readonly metadata: Metadata;
  readonly cancelled: boolean;
  on(event: 'cancelled', listener: () => void): unknown;
}

/** Returns the context of a call. The signal is created only for handlers that read it. */
function contextOf(call: CancellableCall): CallContext {
  let controller: AbortController | undefined;
  return {
    metadata: (name) => {
      const value = call.metadata.get(name)[0];
      return value === undefined ? undefined : value.toString();
    },
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        const { abort } = controller;
        if (call.cancelled) controller.abort();
        else call.on('cancelled', abort.bind(controller, undefined));
      }
      return controller.signal;
    },
  };
}

function serverError(thrown: unknown) {
  const { code, message, details } = endStatus(thrown, TRAILER_DETAIL_BYTES);
  const metadata = new Metadata();
  if (details.length > 0) metadata.set(DETAILS_KEY, asBuffer(details));
  return { code: code === 0 ? status.UNKNOWN : code, details: message, metadata };
}

function addStream(server: Server, services: readonly Service[]): void {
  const handlers = new Map(services.flatMap((service) => [...service.unary]));
  server.addService(
    { open: method(STREAM_PATH, true, true) },
    {
      open: (call: ServerDuplexStream<Buffer, Uint8Array>) => {
        // Reports to the client that the stream is offered, before there is an answer to send.
        call.sendMetadata(new Metadata());
        const frames = serveFrames(handlers, {
          send: (bytes) => call.write(bytes),
          onDrain: (listener) => call.once('drain', listener),
        });
        call.on('data', (bytes: Buffer) => {
          try {
            frames.receive(bytes);
          } catch (error) {
            frames.abort();
            call.emit('error', serverError(error));
          }
        });
        call.on('end', () => frames.finish(() => call.end()));
        call.on('cancelled', () => frames.abort());
        call.on('error', () => frames.abort());
      },
    },
  );
}
