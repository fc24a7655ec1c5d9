import type { ChangeRow } from '@cairn/backends';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { changeJson, changeListLines } from '../changes/change-list.js';
import { WatchedTasks, taskTitle, watchedJson, watchedLine } from '../changes/watched.js';
import { formatDuration } from '../terminal/duration.js';
import { every, liveScreen } from '../terminal/live-screen.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import { withChange } from './changes.js';

/** Follows a change until it ends or rests. An interrupt stops following and does not affect the change [CLI-9]. */
export const run: Command<Switches<'json'> & Texts<'last'>> = (invocation, context) =>
  withChange(invocation, context, async ({ backend, id }, row) => {
    const tasks = new WatchedTasks();
    const json = invocation.flags.json;
    const view = json ? jsonView(context, row.number) : textView(context, tasks);
    const stop = new AbortController();
    const unlisten = context.onInterrupt(() => stop.abort());
    try {
      const end = await backend.follow(
        id,
        row.number,
        (records) => view.lines(tasks.take(records)),
        stop.signal,
      );
      view.close();
      if (stop.signal.aborted && end.running) {
        context.stderr.write(`stopped following; change ${row.number} continues\n`);
        return EXIT.cancelled;
      }
      if (json) context.stdout.write(`${JSON.stringify(changeJson(end, id.stack))}\n`);
      else
        context.stdout.write(
          `\n${changeListLines([end], id.stack, { t: 'relative', now: context.now() }).join('\n')}\n`,
        );
      return codeOf(end);
    } finally {
      view.close();
      unlisten();
    }
  });

type Watched = ReturnType<WatchedTasks['take']>;

interface View {
  lines(tasks: Watched): void;
  close(): void;
}

function jsonView(context: CommandContext, change: number): View {
  return {
    lines: (tasks) => {
      for (const task of tasks) context.stdout.write(`${JSON.stringify(watchedJson(task, change))}\n`);
    },
    close: () => undefined,
  };
}

const FRAME_MS = 100;
const MOST_SHOWN = 10;

/**
 * Prints one line for each status. On a terminal, running tasks follow below with the time since they were first seen.
 */
function textView(context: CommandContext, tasks: WatchedTasks): View {
  const append = (watched: Watched): string => watched.map((task) => `${watchedLine(task)}\n`).join('');
  if (!context.terminal.redraw)
    return { lines: (watched) => context.stdout.write(append(watched)), close: () => undefined };
  const screen = liveScreen(context.stdout, context.env);
  const since = new Map<string, number>();
  const stop = every(FRAME_MS, () => screen.draw(block(tasks, since, performance.now())));
  let open = true;
  return {
    lines: (watched) => screen.above(append(watched.filter(({ id }) => !tasks.running.has(id)))),
    close: () => {
      if (!open) return;
      open = false;
      stop();
      screen.draw('');
      screen.done();
    },
  };
}

function block(tasks: WatchedTasks, since: Map<string, number>, now: number): string {
  const lines: string[] = [];
  for (const id of [...tasks.running].slice(0, MOST_SHOWN)) {
    const task = tasks.all.get(id);
    if (task === undefined) continue;
    const began = since.get(id) ?? now;
    since.set(id, began);
    lines.push(
      `${task.status === 'doing' ? 'Doing' : 'Undoing'.padEnd(8)} ${taskTitle(task)} (${formatDuration(now - began)})`,
    );
  }
  return [...lines, `${tasks.ended} of ${tasks.all.size} tasks ended`].join('\n');
}

/**
 * Returns the outcome of the change as an exit code. A resting change waits for an answer. Throws if its process is
 * gone.
 */
function codeOf(row: ChangeRow): number {
  switch (row.result) {
    case 'succeeded':
      return EXIT.ok;
    case 'waiting':
      return EXIT.waiting;
    case 'rolled-back':
      return EXIT.rolledBack;
    case 'failed':
      return EXIT.resource;
    case 'nothing':
      throw cairnError(
        'CAIRN-UNFINISHED',
        `change ${row.number} ended before it did anything: its process is gone`,
        {
          hint: `Run \`cairn resume ${row.number}\` to start it again.`,
        },
      );
    case 'interrupted':
    case undefined:
      throw cairnError('CAIRN-UNFINISHED', `change ${row.number} ended early: its process is gone`, {
        hint: `Run \`cairn resume ${row.number}\` to continue it, or \`cairn rollback ${row.number}\` to roll it back.`,
      });
  }
}
