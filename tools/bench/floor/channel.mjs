// One gRPC stream of JSON between two processes: numbered requests, and answers with the same numbers.
import { createRequire } from 'node:module';
import path from 'node:path';
import { inPackage } from '../../workspaces.mjs';

const { Client, Server, ServerCredentials, credentials } = createRequire(
  path.join(inPackage('wire'), 'package.json'),
)('@grpc/grpc-js');

const METHOD = '/floor/messages';
const encode = (message) => Buffer.from(JSON.stringify(message));
const decode = (bytes) => JSON.parse(bytes.toString('utf8'));

/** Answers the requests of one peer at `socket` with `handle`. Resolves with a function that ends the server. */
export function serve(socket, handle) {
  const server = new Server();
  const messages = (stream) => {
    stream.on('error', () => {});
    stream.on('end', () => stream.end());
    stream.on('data', ([id, request]) => void handle(request).then((answer) => stream.write([id, answer])));
  };
  const definition = {
    ...{ path: METHOD, requestStream: true, responseStream: true },
    ...{ requestSerialize: encode, requestDeserialize: decode },
    ...{ responseSerialize: encode, responseDeserialize: decode },
  };
  server.addService({ messages: definition }, { messages });
  return new Promise((resolve, reject) => {
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(() => server.forceShutdown()),
    );
  });
}

/** Opens the stream to a server. */
export function connect(socket) {
  const client = new Client(`unix:${socket}`, credentials.createInsecure());
  const stream = client.makeBidiStreamRequest(METHOD, encode, decode);
  const waiting = new Map();
  let last = 0;
  stream.on('error', () => {});
  stream.on('data', ([id, answer]) => {
    const resolve = waiting.get(id);
    waiting.delete(id);
    resolve(answer);
  });
  return {
    ask: (request) =>
      new Promise((resolve) => {
        waiting.set((last += 1), resolve);
        stream.write([last, request]);
      }),
    close: () => {
      stream.cancel();
      client.close();
    },
  };
}
