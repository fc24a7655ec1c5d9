import type { Caller } from '../src/rpc/caller.js';
import { Http2Caller } from '../src/rpc/http2-caller.js';
import { startServer } from '../src/rpc/server.js';
import type { Service } from '../src/rpc/service.js';
import { privateSocket } from '../src/rpc/private-socket.js';
import { StreamCaller } from '../src/rpc/stream-caller.js';

/** Transports for the calls of a test. */
export const TRANSPORTS = ['unary', 'stream', 'socket'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Serves `services` on this machine while `use` runs. */
export async function withLoopback(
  services: readonly Service[],
  transport: Transport,
  use: (caller: Caller, address: string) => Promise<void>,
): Promise<void> {
  const socket = transport === 'socket' ? privateSocket() : undefined;
  const server = await startServer({ services, address: socket?.address, stream: transport !== 'unary' });
  const caller = transport === 'stream' ? new StreamCaller(server.address) : new Http2Caller(server.address);
  try {
    await use(caller, server.address);
    if (caller instanceof StreamCaller) expect(caller.usesStream).toBe(true);
  } finally {
    caller.close();
    await server.close();
    await socket?.remove();
  }
}
