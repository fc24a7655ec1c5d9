import { connect } from 'node:net';

/** Answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends bytes to a service and reads what comes back until it closes the connection. Chunks are sent one by one. */
export async function sendRaw(url: string, ...chunks: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const parts: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void parts.push(chunk));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // The service may close before everything is sent.
  socket.on('error', () => undefined);
  for (const chunk of chunks) await new Promise((resolve) => socket.write(chunk, resolve));
  await closed;
  return parsed(Buffer.concat(parts).toString('utf8'));
}

function parsed(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const body = text.slice(end + 4);
  const chunked = /^transfer-encoding: chunked/im.test(text.slice(0, end));
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]),
    body: chunked ? body.replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/gi, '') : body,
  };
}

/** Returns the text of a request. The connection ends after its answer. */
export function requestText(
  line: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
  body = '',
): string {
  const lines = Object.entries({ host: 'service.test', connection: 'close', ...headers }).flatMap(
    ([name, value]) => [value].flat().map((each) => `${name}: ${each}`),
  );
  return `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`;
}
