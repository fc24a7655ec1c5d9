import { request as httpRequest } from 'node:http';
import type { HttpServer, HttpServerOptions, ServerReply, ServerRequest } from './http-server.js';
import { startHttpServer } from './http-server.js';

/**
 * Starts a server before another one. Every request is forwarded unchanged, including `Host`, and the fault script is
 * applied on the way. For real servers, which cannot produce faults on demand.
 */
export function startFaultProxy(target: string, options: HttpServerOptions = {}): Promise<HttpServer> {
  const { hostname, port } = new URL(target);
  return startHttpServer((request) => forward(request, hostname, port), options);
}

function forward(request: ServerRequest, hostname: string, port: string): Promise<ServerReply> {
  return new Promise((resolve, reject) => {
    const { method, target, headers, body } = request;
    const outgoing = httpRequest({ hostname, port, method, path: target, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('error', reject);
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 502,
          headers: endToEnd(incoming.headers),
          body: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding'];

function endToEnd(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !HOP_BY_HOP.includes(name)) kept[name] = String(value);
  return kept;
}
