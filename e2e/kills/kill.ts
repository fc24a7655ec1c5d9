import type { Random } from '../support/random.js';
import { objectOf } from './model.js';
import type { Want } from './model.js';

/**
 * What is killed: the command, its process group, everything that it has started, its plugin processes, or the program.
 */
export const TARGETS = ['command', 'group', 'everything', 'provider', 'program'] as const;
export type Target = (typeof TARGETS)[number];

/** How a command is disturbed: not at all, after some time, or at an effect. */
export type Kill =
  | { readonly t: 'none' }
  | {
      readonly t: 'time';
      readonly afterMs: number;
      readonly target: Target;
      readonly signal: 'SIGKILL' | 'SIGINT' | 'SIGTERM';
    }
  | { readonly t: 'point'; readonly point: string; readonly target: Target };

/** A disturbance for an operation that goes from `before` to `after`. `typicalMs`: what such a command takes. */
export function randomKill(random: Random, before: Want, after: Want, typicalMs: number): Kill {
  const target = random.pick(TARGETS);
  const points = effectsBetween(before, after);
  if (points.length > 0 && random.below(3) > 0) {
    const when = random.below(2) === 0 ? 'before' : 'after';
    return { t: 'point', point: `${when} ${random.pick(points)}`, target };
  }
  // Interrupts go where a terminal sends them.
  if (random.below(4) === 0)
    return {
      ...{ t: 'time', afterMs: random.below(typicalMs), target: 'group' },
      signal: random.pick(['SIGINT', 'SIGTERM']),
    };
  return { t: 'time', afterMs: random.below(typicalMs), target, signal: 'SIGKILL' };
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

/** In words, for a transcript. */
export function described(kill: Kill): string {
  if (kill.t === 'none') return '';
  const signal = kill.t === 'time' ? kill.signal : 'SIGKILL';
  const when = kill.t === 'time' ? `after ${kill.afterMs} ms` : kill.point;
  return `  # ${signal} to ${kill.target} ${when}`;
}
