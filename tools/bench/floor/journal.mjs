// A durable log of steps: lines of JSON that are written and flushed in groups, one group at a time.
import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Folds a log into entries by URN: id, inputs, and URNs of what the entry depends on. */
export function readEntries(file) {
  const entries = new Map();
  if (!existsSync(file)) return entries;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const { at, urn, id, inputs, dependencies } = JSON.parse(line);
    if (at === 'deleted') entries.delete(urn);
    else if (at === 'end') entries.set(urn, { id, inputs, dependencies });
  }
  return entries;
}

/** Opens a log. `append` resolves when its record is on disk. */
export async function openJournal(file) {
  const handle = await open(file, 'a');
  let waiting = [];
  let isBusy = false;
  const write = async () => {
    isBusy = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await handle.appendFile(group.map(({ line }) => line).join(''));
      await handle.datasync();
      for (const { resolve } of group) resolve();
    }
    isBusy = false;
  };
  return {
    append: (record) =>
      new Promise((resolve) => {
        waiting.push({ line: `${JSON.stringify(record)}\n`, resolve });
        if (!isBusy) void write();
      }),
    close: () => handle.close(),
  };
}
