import { execFileSync } from 'node:child_process';
import { createReadStream, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Running, Sandbox } from './cairn.js';

/** Project with the pipes. */
type Folder = Pick<Sandbox, 'directory'>;

/** Makes named pipes in the project, for commands of its resources to wait on. */
export function makePipes(box: Folder, ...names: readonly string[]): void {
  for (const name of names) execFileSync('mkfifo', [path.join(box.directory, name)]);
}

/** Resolves when something was written into the pipe; rejects when the command that is to do so ends before. */
export function written(box: Folder, pipe: string, running?: Running): Promise<void> {
  const read = new Promise<void>((resolve, reject) => {
    createReadStream(path.join(box.directory, pipe))
      .once('data', () => resolve())
      .once('error', reject);
  });
  if (running === undefined) return read;
  return Promise.race([read, running.finished.then((end) => Promise.reject(new Error(end.text)))]);
}

/** Lets the process that waits for the pipe continue. */
export function release(box: Folder, pipe: string): void {
  writeFileSync(path.join(box.directory, pipe), 'go');
}
