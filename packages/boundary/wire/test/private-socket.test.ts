import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeDeadSockets } from '../src/rpc/private-socket.js';

const MINUTES_AGO = new Date(Date.now() - 5 * 60_000);

/**
 * Creates a folder as servers do. A server listens at its file only if it `lives`. The folder is new, or five minutes
 * old.
 */
async function folder(base: string, name: string, { lives, old }: { lives: boolean; old: boolean }) {
  const directory = path.join(base, `cairn-socket-${name}`);
  mkdirSync(directory);
  const file = path.join(directory, 'engine');
  const listening = lives ? file : path.join(base, `${name}.listening`);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(listening, resolve));
  if (!lives) {
    // Closing removes the name at which the server listened. This second name remains, and refuses connections.
    linkSync(listening, file);
    await new Promise((resolve) => server.close(resolve));
  }
  if (old) utimesSync(directory, MINUTES_AGO, MINUTES_AGO);
  return { directory, close: () => lives && server.close() };
}

test.each([
  { lives: false, old: true, stays: false },
  { lives: false, old: false, stays: true },
  { lives: true, old: true, stays: true },
  { lives: true, old: false, stays: true },
])('a folder that lives: $lives, old: $old, stays: $stays', async ({ stays, ...how }) => {
  const base = mkdtempSync(path.join(tmpdir(), 'sockets-'));
  const { directory, close } = await folder(base, 'a', how);
  try {
    await removeDeadSockets(base);
    expect(existsSync(directory)).toBe(stays);
  } finally {
    close();
    rmSync(base, { recursive: true, force: true });
  }
});
