import process from 'node:process';
import { languageService } from '@cairn/wire/language-server';
import { servePlugin } from '@cairn/wire/server';
import { createNodeLanguageHost } from './language-host.js';
import { npmPackages } from './npm-packages.js';

/**
 * Serves the language `cairn` as a plugin process, to engines that run programs by plugins. The address of the engine
 * is the last argument, unless a handshake gives it.
 */
export async function serveNodeLanguage(): Promise<void> {
  const host = createNodeLanguageHost({ environment: process.env, checksOnRun: true });
  const engineAddress = process.argv.slice(2).findLast((word) => !word.startsWith('-')) ?? '';
  const languages = languageService(host, {
    engineAddress,
    // Stdout belongs to the port. A program's output goes where the engine shows it.
    onOutput: (stream, text) => void process[stream].write(text),
    packages: npmPackages(process.env),
  });
  await servePlugin({
    services: [languages],
    name: 'language host',
    isChild: engineAddress !== '',
    giveUp: () => host.close(),
  });
}
