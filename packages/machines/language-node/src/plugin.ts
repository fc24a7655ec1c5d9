import process from 'node:process';
import { languageService } from '@cairn/wire/language-server';
import { healthService, sameUserGuard, startServer } from '@cairn/wire/server';
import { createNodeLanguageHost } from './language-host.js';
import { npmPackages } from './npm-packages.js';

/**
 * Serves the language `cairn` as a plugin process, to engines that run programs by plugins [PLUG-4]. Listens on a free
 * port of 127.0.0.1, writes the port as the first line of stdout, and ends on SIGINT or SIGTERM. The address of the
 * engine is the last argument, unless a handshake gives it. On Linux only processes of the same user are answered.
 */
export async function main(): Promise<void> {
  const host = createNodeLanguageHost({ environment: process.env, checksOnRun: true });
  const engineAddress = process.argv.slice(2).findLast((word) => !word.startsWith('-')) ?? '';
  const languages = languageService(host, {
    engineAddress,
    // Stdout belongs to the port. A program's output goes where the engine shows it.
    onOutput: (stream, text) => void process[stream].write(text),
    packages: npmPackages(process.env),
  });
  const guard = sameUserGuard({
    onRefused: (who) =>
      void process.stderr.write(`${who} tried to call this language host and was refused\n`),
  });
  const server = await startServer({ services: [languages, healthService()], guard });
  const stop = (): void => {
    void host.close().then(async () => {
      await server.close(GRACE_MS);
      process.exit(0);
    });
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.write(`${server.port}\n`);
}

/** Grace for calls under way when the plugin ends, in milliseconds. */
const GRACE_MS = 2000;
