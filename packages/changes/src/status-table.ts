import type { Status, StatusEvent } from './status.js';
import { STATUSES, TRANSITIONS, isReady } from './status.js';

/** The transition table as Markdown, one row for each pair of statuses: what the README shows. */
export function statusTable(): string {
  const rows = STATUSES.flatMap((from) => rowsFrom(from));
  return ['| from | to | on |', '| --- | --- | --- |', ...rows].join('\n');
}

function rowsFrom(from: Status): readonly string[] {
  const targets = new Map<Status, string[]>();
  for (const [event, to] of Object.entries(TRANSITIONS[from]) as [StatusEvent, Status][]) {
    const events = targets.get(to) ?? [];
    targets.set(to, [...events, event]);
  }
  const name = isReady(from) ? `${from} (ready)` : from;
  if (targets.size === 0) return [`| ${name} | – | |`];
  return [...targets].map(([to, events]) => `| ${name} | ${to} | ${events.join(', ')} |`);
}
