import type { ChangeView } from './change.js';

/**
 * Returns why a change failed [CHG-11]. Undefined unless its status is error. Otherwise one line for each ERROR line in
 * the log of each task in error, in order of creation.
 */
export function changeError(change: ChangeView): string | undefined {
  if (change.status !== 'error') return undefined;
  const lines: string[] = [];
  for (const task of change.tasks.values()) {
    if (task.status !== 'error') continue;
    for (const line of task.log) {
      const text = /^\S+ ERROR (?<text>[\s\S]*)/.exec(line)?.groups?.['text'];
      if (text !== undefined) lines.push(`- ${task.summary} (${text})`);
    }
  }
  if (lines.length === 0)
    return `internal inconsistency: change "${change.kind}" in error with no task errors logged`;
  return ['cannot perform the following tasks:', ...lines].join('\n');
}
