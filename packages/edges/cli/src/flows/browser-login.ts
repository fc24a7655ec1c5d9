import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { cairnError } from '@cairn/diagnostics';
import { backendAddress } from '@cairn/workspace';
import type { CommandContext } from '../command-context.js';

/**
 * Shows the address at which the user signs in with a browser, and waits on a port of this machine for the token. The
 * browser has to be on this machine. Fails with `CAIRN-CANCELLED` when interrupted.
 */
export async function tokenFromBrowser(context: CommandContext, url: string): Promise<string> {
  const nonce = randomBytes(32).toString('hex');
  const server = createServer();
  const token = new Promise<string>((resolve, reject) => {
    server.on('request', (request, response) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      const given = searchParams.get('accessToken');
      if (given === null || given === '' || !isSame(searchParams.get('nonce') ?? '', nonce))
        return void response.writeHead(400).end('This is not the end of the sign-in.\n');
      const answer = { location: `${backendAddress(url)}/welcome/cli`, connection: 'close' };
      response.writeHead(302, answer).end(() => resolve(given));
    });
    server.once('error', reject);
    context.onInterrupt(() =>
      reject(cairnError('CAIRN-CANCELLED', 'interrupted while waiting for the sign-in')),
    );
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const query = new URLSearchParams({
      ...{ cliSessionPort: String(port), cliSessionNonce: nonce },
      cliSessionDescription: `cairn login on ${hostname()}`,
    });
    context.stderr.write(
      `Open this address in a browser on this machine:\n  ${backendAddress(url)}/cli-login?${query.toString()}\n`,
    );
    return await token;
  } finally {
    server.close();
    server.closeIdleConnections();
  }
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
