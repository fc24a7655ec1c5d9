import type { Random } from '../support/random.js';
import { objectOf } from './model.js';
import type { Want } from './model.js';

/**
 * Victims of a kill: the command, its process group, everything that it has started, its plugin processes, or the
 * program.
 */
export const TARGETS = ['command', 'group', 'everything', 'provider', 'program'] as const;
export type Target = (typeof TARGETS)[number];

/** Ways to ask a command to stop: a key at its terminal, a signal from outside, a command in a second one. */
export const REQUESTS = ['SIGINT', 'SIGTERM', 'abort', 'abort --keep'] as const;
export type Request = (typeof REQUESTS)[number];

/**
 * When a command is disturbed: after some time, at an effect or a look (`before create a-1`), which waits there, or
 * when its state is stored and its change is not closed yet.
 */
export type Moment =
  | { readonly t: 'time'; readonly afterMs: number }
  | { readonly t: 'point'; readonly point: string }
  | { readonly t: 'stored' };

/** One in so many of the drawn times means the moment at which a state is stored. */
const STORED_IN = 8;

/** Disturbance of a command: none, a kill, or a request to stop; `times` 2: again, while the same effect waits. */
export type Kill =
  | { readonly t: 'none' }
  | { readonly t: 'kill'; readonly at: Moment; readonly target: Target }
  | { readonly t: 'stop'; readonly at: Moment; readonly how: Request; readonly times: 1 | 2 };

/** Possible effects of a command: the points at which it can be disturbed. */
export interface Course {
  readonly before: Want;
  readonly after: Want;
  /** Objects that it may look at. */
  readonly seen: Want;
}

/** Draws a disturbance of a command. `typicalMs`: duration of such a command. */
export function randomKill(random: Random, course: Course, typicalMs: number): Kill {
  const points = [...effectsBetween(course.before, course.after), ...looks(course.seen)];
  const atPoint = points.length > 0 && random.below(3) > 0;
  const at: Moment = atPoint
    ? { t: 'point', point: `${random.below(2) === 0 ? 'before' : 'after'} ${random.pick(points)}` }
    : momentAfter(random.below(typicalMs));
  if (random.below(3) > 0) return { t: 'kill', at, target: random.pick(TARGETS) };
  return { t: 'stop', at, how: random.pick(REQUESTS), times: random.below(3) === 0 ? 2 : 1 };
}

function momentAfter(afterMs: number): Moment {
  return afterMs % STORED_IN === 0 ? { t: 'stored' } : { t: 'time', afterMs };
}

/** Effects that lead from one program to another, as a point names them. Files and directories have no points. */
function effectsBetween(before: Want, after: Want): readonly string[] {
  const logged = (want: Want): Want => want.filter(({ kind }) => kind !== 'file' && kind !== 'directory');
  const old = new Map(logged(before).map((one) => [objectOf(one), one]));
  const now = new Map(logged(after).map((one) => [objectOf(one), one]));
  return [
    ...[...now.keys()].filter((object) => !old.has(object)).map((object) => `create ${object}`),
    ...[...now]
      .filter(([object, one]) => old.has(object) && old.get(object)?.value !== one.value)
      .map(([object]) => `update ${object}`),
    ...[...old.keys()].filter((object) => !now.has(object)).map((object) => `delete ${object}`),
  ];
}

/** Looks at objects, as a point names them. */
function looks(seen: Want): readonly string[] {
  return seen
    .filter(({ kind }) => kind === 'seen' || kind === 'terraform')
    .map((one) => `read ${objectOf(one)}`);
}

/** In words, for a transcript. */
export function described(kill: Kill): string {
  if (kill.t === 'none') return '';
  const when = whenText(kill.at);
  if (kill.t === 'kill') return `  # SIGKILL to ${kill.target} ${when}`;
  return `  # ${kill.how}${kill.times === 2 ? ' twice' : ''} ${when}`;
}

function whenText(at: Moment): string {
  switch (at.t) {
    case 'time':
      return `after ${at.afterMs} ms`;
    case 'point':
      return at.point;
    case 'stored':
      return 'when its state is stored';
  }
}
