// A PostgreSQL server in a folder of its own: `node tools/servers/postgres.mjs`. On a free port of the
// loopback address.
// Prints one line of JSON (host, port, user, password, env) when it serves, and ends when standard input does. Its
// programs come from the Debian package postgresql, which is installed when that can be done (root, apt-get) and they
// are missing; `--install` does only that.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startPostgres, whyNoPostgres } from '../../packages/testkit/dist/servers/index.js';

export { startPostgres, whyNoPostgres };

/** Installs the server where it is missing and can be had. Says why it is still missing; undefined when it is there. */
export function ensurePostgres() {
  if (whyNoPostgres() !== undefined && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))
    try {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
      execFileSync('apt-get', ['update', '-q'], { stdio: 'ignore', env });
      const words = ['install', '-qy', '--no-install-recommends', 'postgresql'];
      execFileSync('apt-get', words, { stdio: 'ignore', env });
    } catch {
      // The answer says what is missing.
    }
  return whyNoPostgres();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const why = ensurePostgres();
  if (why !== undefined) {
    console.error(`no PostgreSQL: ${why}`);
    process.exit(1);
  }
  if (process.argv.includes('--install')) process.exit(0);
  const server = await startPostgres();
  const { host, port, user, password, env } = server;
  process.stdout.write(`${JSON.stringify({ host, port, user, password, env })}\n`);
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once('end', resolve));
  await server.close();
}
