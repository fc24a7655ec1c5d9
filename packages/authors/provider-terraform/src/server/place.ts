import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { HostOffer } from '@cairn/tfplugin';
import { privateSocket } from '@cairn/wire/server';
import type { RunningServer } from '@cairn/wire/server';

/**
 * Listens at the place that the host requests: at a socket that only the current user can reach. If the system has no
 * sockets, listens at a port of this machine. Rejects if that is impossible.
 */
// [TFP-9]
export async function listenFor(
  { socketDirectory, ports }: Pick<HostOffer, 'socketDirectory' | 'ports'>,
  listen: (address: string) => Promise<RunningServer>,
): Promise<RunningServer> {
  if (process.platform === 'win32') return listenAtPort(ports, listen);
  if (socketDirectory !== undefined) {
    // The host has created the folder for this plugin, and removes it.
    const name = `plugin-${randomBytes(6).toString('hex')}`;
    return listen(`unix:${path.join(socketDirectory, name)}`);
  }
  const socket = privateSocket();
  if (socket === undefined) return listenAtPort(ports, listen);
  const server = await listen(socket.address);
  return {
    ...server,
    close: async (graceMs) => {
      await server.close(graceMs);
      await socket.remove();
    },
  };
}

async function listenAtPort(
  ports: HostOffer['ports'],
  listen: (address: string) => Promise<RunningServer>,
): Promise<RunningServer> {
  if (ports === undefined) return listen('127.0.0.1:0');
  const [first, last] = ports;
  const count = last - first + 1;
  const start = randomBytes(4).readUInt32BE() % count;
  let failure: unknown;
  for (let at = 0; at < Math.min(count, TRIES); at += 1) {
    try {
      return await listen(`127.0.0.1:${first + ((start + at) % count)}`);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Number of ports to try, starting with a random one. */
const TRIES = 100;

/** Returns an address of this process in the terms of a handshake. */
export function listenAddress(address: string): {
  readonly network: 'unix' | 'tcp';
  readonly address: string;
} {
  return address.startsWith('unix:')
    ? { network: 'unix', address: address.slice('unix:'.length) }
    : { network: 'tcp', address };
}
