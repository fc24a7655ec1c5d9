import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request that a receiver got. */
export interface ReceivedHook {
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Server that webhooks are sent to. It answers 204, or what `answer` says. */
export interface HookReceiver {
  readonly url: string;
  readonly received: ReceivedHook[];
  answer: (response: http.ServerResponse) => void;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<HookReceiver> {
  const received: ReceivedHook[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      received.push({ url, headers, body: Buffer.concat(chunks).toString('utf8') });
      receiver.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: HookReceiver = {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received },
    answer: (response) => void response.writeHead(204).end(),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
