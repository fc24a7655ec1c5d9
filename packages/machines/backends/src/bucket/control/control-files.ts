import type { BlobStore } from '@cairn/blobs';
import { cairnError, isCairnError, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { JsonObject } from '@cairn/state';
import { summedText, takeSummed } from '../journal/journal-files.js';
import { takeControlMessage } from '../../model/control-message.js';
import type { ControlMessage } from '../../model/control-message.js';

const PREFIX = 'control-';

/** One message as it was found, or the reason why it could not be read. `number` is the order of arrival. */
interface FoundMessage {
  readonly number: number;
  readonly found: { readonly message: ControlMessage } | { readonly warning: Diagnostic };
}

/**
 * Leaves a message in the directory of a change's journal. It takes the next free number, so that two simultaneous
 * messages both arrive. Resolves when the message is durable.
 */
export async function leaveMessage(
  store: BlobStore,
  directory: string,
  message: ControlMessage,
): Promise<void> {
  const bytes = summedText({ version: 1, ...(message as unknown as JsonObject) });
  let number = (await messageKeys(store, directory)).at(-1)?.number ?? 0;
  for (let tries = 0; tries < TRIES; tries += 1) {
    number += 1;
    const key = `${directory}${PREFIX}${String(number).padStart(6, '0')}.json`;
    if ((await store.put(key, bytes, { ifAbsent: true })).ok) return;
  }
  throw cairnError(
    'CAIRN-STORE-CONFLICT',
    `cannot leave a message in ${directory}: other processes keep leaving messages`,
    {
      hint: 'Run the command again.',
    },
  );
}

const TRIES = 100;

/**
 * Returns the messages after a number, in order. One that cannot be read is a warning: it must not stop its recipient.
 * `listed`: names of the files in the directory, if they are known.
 */
export async function readMessages(
  store: BlobStore,
  directory: string,
  after = 0,
  listed?: Iterable<string>,
): Promise<readonly FoundMessage[]> {
  const messages: FoundMessage[] = [];
  for (const { key, number } of await messageKeys(store, directory, listed)) {
    if (number > after) messages.push({ number, found: await readMessage(store, key) });
  }
  return messages;
}

async function readMessage(store: BlobStore, key: string): Promise<FoundMessage['found']> {
  try {
    const blob = await store.get(key);
    const message = blob === undefined ? undefined : takeControlMessage(takeSummed(blob.bytes, key));
    return message === undefined ? { warning: unreadable(key, []) } : { message };
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    return {
      warning: unreadable(
        key,
        thrown.diagnostics.map((found) => found.summary),
      ),
    };
  }
}

async function messageKeys(
  store: BlobStore,
  directory: string,
  listed?: Iterable<string>,
): Promise<readonly { readonly key: string; readonly number: number }[]> {
  const keys: { key: string; number: number }[] = [];
  const names = listed && [...listed].map((name) => directory + name);
  for (const key of names ?? (await store.list(directory + PREFIX)).map((row) => row.key)) {
    const number = /control-(?<number>\d{1,9})\.json$/.exec(key)?.groups?.['number'];
    if (number !== undefined) keys.push({ key, number: Number(number) });
  }
  return keys.sort((a, b) => a.number - b.number);
}

function unreadable(key: string, causes: readonly string[]): Diagnostic {
  return warningDiagnostic('CAIRN-JOURNAL-CORRUPT', `a message to this operation cannot be read: ${key}`, {
    causes,
    hint: 'Run the command that sent the message again: the message was ignored.',
  });
}
