import type { RecordBody, RecordName } from './records.js';
import { isStatus } from './status.js';

type Check = (value: unknown) => boolean;

/** Checks for the members of a record. `entry` and `value` belong to the caller and are not checked. */
type Shape<K extends RecordName> = Readonly<
  Record<Exclude<keyof Extract<RecordBody, { record: K }>, 'record' | 'entry' | 'value'>, Check>
>;

const text: Check = (value) => typeof value === 'string';
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const positive: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0;
const finite: Check = (value) => Number.isFinite(value);
const amount: Check = (value) => Number.isFinite(value) && (value as number) >= 0;
const flag: Check = (value) => value === true;
/** Last time that was found valid: most records have the same time as the one before. */
let lastTime: unknown;
const time: Check = (value) => {
  if (value === lastTime && value !== undefined) return true;
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return false;
  lastTime = value;
  return true;
};
const object: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Checks ids of tasks: decimal numbers from 1 (see `TaskView.id`). */
const taskId: Check = (value) => typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value);
const status: Check = isStatus;
const waited: Check = (value) => isStatus(value) && value !== 'wait';
const direction: Check = (value) => value === 'do' || value === 'undo';
const result: Check = (value) =>
  ['ok', 'error', 'retry', 'wait', 'hold', 'unknown'].includes(value as string);
const claim: Check = (value) => fits(value, { key: text, mode: oneOf('exclusive', 'shared') });
const progress: Check = (value) => fits(value, { label: text, done: amount, total: amount });

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string);

const SHAPES = {
  change: {
    id: text,
    kind: text,
    summary: text,
    scope: text,
    version: optional(count),
    data: optional(object),
    growing: optional(flag),
  },
  task: {
    id: taskId,
    kind: text,
    summary: text,
    waits: optional(list(taskId)),
    lanes: optional(list(count)),
    priority: optional(finite),
    status: optional(status),
    waited: optional(waited),
    notBefore: optional(time),
    data: optional(object),
  },
  intent: { task: taskId, direction, status, attempt: positive, generation: optional(count) },
  'progress-id': { task: taskId, id: text },
  outcome: {
    task: taskId,
    direction,
    result,
    status,
    waited: optional(waited),
    reason: optional(text),
    notBefore: optional(time),
    ms: amount,
    progress: optional(progress),
  },
  status: {
    task: optional(taskId),
    status: nullable(status),
    waited: optional(waited),
    reason: optional(text),
  },
  lanes: { task: taskId, join: optional(list(count)), leave: optional(list(count)) },
  schedule: { task: taskId, notBefore: nullable(time) },
  data: { task: optional(taskId), key: text },
  claim: { claims: list(claim) },
  cleaned: { task: optional(taskId), except: optional(list(taskId)) },
  log: { task: taskId, lines: list(text) },
  entry: {},
  complete: {},
  seal: { status },
} as const satisfies { readonly [K in RecordName]: Shape<K> };

const STAMP = { seq: positive, tx: positive, more: optional(flag), at: time };

/**
 * Describes what is wrong with the form of a record that was read, or returns undefined. Unknown members are ignored.
 * {@link replay} checks if the record fits those before it.
 */
export function recordProblem(record: Readonly<Record<string, unknown>>): string | undefined {
  const shape: Readonly<Record<string, Check>> = SHAPES[record['record'] as RecordName];
  const wrong = firstWrong(record, STAMP) ?? firstWrong(record, shape);
  return wrong === undefined ? undefined : `"${wrong}" of the record is invalid: ${show(record[wrong])}`;
}

function fits(value: unknown, shape: Readonly<Record<string, Check>>): boolean {
  return object(value) && firstWrong(value as Record<string, unknown>, shape) === undefined;
}

function firstWrong(
  record: Readonly<Record<string, unknown>>,
  shape: Readonly<Record<string, Check>>,
): string | undefined {
  for (const member in shape) if (shape[member]?.(record[member]) === false) return member;
  return undefined;
}

function show(value: unknown): string {
  const shown = JSON.stringify(value) ?? 'nothing';
  return shown.length > 40 ? `${shown.slice(0, 40)}…` : shown;
}
