import type { TaskProgress } from './records.js';
import type { Status } from './status.js';
import type { TaskView } from './task.js';

/** Event of a change, for displays. A closed union. */
export type ChangeEvent =
  | { readonly t: 'task'; readonly task: TaskView; readonly from: Status; readonly to: Status }
  | { readonly t: 'change'; readonly from: Status; readonly to: Status }
  | { readonly t: 'failed'; readonly task: TaskView; readonly error: unknown }
  | { readonly t: 'log'; readonly task: TaskView; readonly line: string }
  | { readonly t: 'progress'; readonly task: TaskView; readonly progress: TaskProgress }
  | { readonly t: 'warning'; readonly task: TaskView; readonly text: string };
