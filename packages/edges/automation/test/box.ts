import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Operation, OperationEvent } from '../src/index.js';

const folder = mkdtempSync(path.join(tmpdir(), 'cairn-automation-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

/** Returns a fresh backend, home and passphrase that only the caller uses. */
export function box() {
  const directory = mkdtempSync(path.join(folder, `box-${++count}-`));
  return {
    backendUrl: pathToFileURL(directory).href,
    passphrase: 'correct horse',
    env: { HOME: directory, CAIRN_HOME: path.join(directory, '.cairn') },
  };
}

/** Returns every event of an operation, and the error that ended it. */
export async function eventsOf(
  operation: Operation<unknown>,
): Promise<{ readonly events: readonly OperationEvent[]; readonly error: unknown }> {
  const events: OperationEvent[] = [];
  try {
    for await (const event of operation) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}
