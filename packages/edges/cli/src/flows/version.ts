import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '@cairn/diagnostics';
import type { Command } from '../command-spec.js';
import { aliasVersion, isAlias } from '../terminal/called-as.js';

let version: string | undefined;

/** Returns the version of this command line, without a leading `v`. It is read from the package once. */
export function cairnVersion(): string {
  version ??= (
    JSON.parse(readFileSync(path.join(packageDirectory(), 'package.json'), 'utf8')) as { version: string }
  ).version;
  return version;
}

/** `version` */
export const printVersion: Command = async (_invocation, context) => {
  const own = cairnVersion();
  context.stdout.write(`${isAlias(context) ? aliasVersion(own) : `v${own}`}\n`);
  return EXIT.ok;
};

/**
 * Returns the directory of the installed command line package: the nearest above this file with Cairn's package.json.
 */
export function packageDirectory(): string {
  let directory = path.dirname(fileURLToPath(import.meta.url));
  while (!isOurs(directory)) directory = path.dirname(directory);
  return directory;
}

function isOurs(directory: string): boolean {
  if (directory === path.dirname(directory)) return true;
  try {
    return (
      (JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as { name?: string }).name ===
      '@cairn/cli'
    );
  } catch {
    return false;
  }
}
