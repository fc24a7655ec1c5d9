import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAbsent, readTextFile, writeTextFile } from '@cairn/files';
import { parseMessage } from '../runs/messages.js';
import type { AgentMessage } from '../runs/messages.js';

const inboxOf = (folder: string): string => path.join(folder, 'inbox');

/** Folder that is watched for messages. */
export async function makeInbox(folder: string): Promise<string> {
  const inbox = inboxOf(folder);
  await mkdir(inbox, { recursive: true, mode: 0o700 });
  return inbox;
}

/**
 * Leaves a message, durable when the promise resolves. The agent reads it at once if it runs, else at its next start.
 * `id` is unique; messages are read in the order of `at`.
 */
export async function leaveAgentMessage(
  folder: string,
  id: string,
  at: Date,
  message: AgentMessage,
): Promise<void> {
  const stamp = String(at.getTime()).padStart(15, '0');
  const file = path.join(inboxOf(folder), `${stamp}-${id}.json`);
  await writeTextFile(file, `${JSON.stringify(message)}\n`, { mode: 0o600, directoryMode: 0o700 });
}

/** A message that was left, and its file. */
interface LeftMessage {
  readonly file: string;
  /** `undefined` if it cannot be read: it is damaged, or of a newer version. */
  readonly message: AgentMessage | undefined;
}

/** Returns the messages in the order in which they were left. */
export async function readAgentMessages(folder: string): Promise<readonly LeftMessage[]> {
  const names = await readdir(inboxOf(folder)).catch((thrown: unknown) => {
    if (isAbsent(thrown)) return [];
    throw thrown;
  });
  const found: LeftMessage[] = [];
  for (const name of names.filter((each) => /^\d+-[\w-]+\.json$/.test(each)).sort()) {
    const file = path.join(inboxOf(folder), name);
    const text = await readTextFile(file);
    if (text !== undefined) found.push({ file, message: parseMessage(text) });
  }
  return found;
}

/** Deletes a message that was carried out. */
export const deleteMessage = (file: string): Promise<void> => rm(file, { force: true });

/** Puts a message aside that cannot be read. */
export const putAside = (file: string): Promise<void> => rename(file, `${file}.refused`);
