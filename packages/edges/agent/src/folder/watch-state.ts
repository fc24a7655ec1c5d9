import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { readAgentState } from './agent-folder.js';
import type { AgentState } from './agent-folder.js';

/** Milliseconds between two looks where the system reports no changes of files. */
const LOOK_MS = 2_000;

/**
 * Reads the folder until `find` finds something in it, for at most `waitMs` milliseconds or until an interrupt. Returns
 * what it found.
 */
export async function watchAgentState<T>(
  folder: string,
  waitMs: number,
  onInterrupt: (listener: () => void) => () => void,
  find: (state: AgentState) => T | undefined,
): Promise<T | undefined> {
  const deadline = performance.now() + waitMs;
  let hasEnded = false;
  let wake = (): void => undefined;
  const unlisten = onInterrupt(() => {
    hasEnded = true;
    wake();
  });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const watcher = watch(folder, () => wake());
  watcher.on('error', () => watcher.close());
  try {
    for (;;) {
      // A change during the look wakes it as well.
      const changed = new Promise<void>((resolve) => (wake = resolve));
      const found = find(await readAgentState(folder));
      const left = deadline - performance.now();
      if (found !== undefined || left <= 0 || hasEnded) return found;
      const timer = setTimeout(wake, Math.min(left, LOOK_MS));
      await changed;
      clearTimeout(timer);
    }
  } finally {
    watcher.close();
    unlisten();
  }
}
