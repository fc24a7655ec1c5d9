import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { objectOf } from './model.js';
import type { Want } from './model.js';

/** One effect of a provider, from its line in the log. */
export interface Effect {
  readonly what: 'create' | 'update' | 'delete';
  readonly object: string;
  readonly value: string;
}

/** Objects that exist, each with its value. */
export type World = ReadonlyMap<string, string>;

/** The lines of a log. */
export function effectsOf(log: string): readonly Effect[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [what = '', object = '', value = ''] = line.split(' ');
      return { what: what as Effect['what'], object, value };
    });
}

/** Returns the objects that effects lead to, and the faults: nothing may be made, altered or deleted twice. */
export function replayed(effects: readonly Effect[]): {
  readonly world: World;
  readonly faults: readonly string[];
} {
  const world = new Map<string, string>();
  const faults: string[] = [];
  for (const { what, object, value } of effects) {
    const is = world.get(object);
    if (what === 'create' && is !== undefined) faults.push(`${object} was created twice`);
    if (what === 'update' && is === undefined) faults.push(`${object} was updated and is not there`);
    if (what === 'update' && is === value) faults.push(`${object} was updated to ${value} twice`);
    if (what === 'delete' && is === undefined) faults.push(`${object} was deleted and is not there`);
    if (what === 'delete') world.delete(object);
    else world.set(object, value);
  }
  return { world, faults };
}

/**
 * Returns the objects that exist: those of the log, and the files and directories of the project that belong to a
 * resource.
 */
export function worldOf(project: string): { readonly world: World; readonly faults: readonly string[] } {
  const log = path.join(project, 'effects.log');
  const { world, faults } = replayed(effectsOf(existsSync(log) ? readFileSync(log, 'utf8') : ''));
  const all = new Map(world);
  for (const { object, value } of onDisk(project)) all.set(object, value);
  return { world: all, faults };
}

function onDisk(project: string): readonly { readonly object: string; readonly value: string }[] {
  return readdirSync(project).flatMap((name) => {
    const [, object, ending] = /^([a-z]-\d+)\.(txt|dir)$/.exec(name) ?? [];
    if (object === undefined) return [];
    const value = ending === 'txt' ? readFileSync(path.join(project, name), 'utf8') : '1';
    return [{ object, value }];
  });
}

/** Returns the objects that exist if they match a program. */
export function wantedWorld(want: Want): World {
  return new Map(want.map((one) => [objectOf(one), String(one.value)]));
}

/** Where two worlds differ, a line each; none when they are equal. */
export function differences(there: World, expected: World): readonly string[] {
  const missing = [...expected].filter(([object]) => !there.has(object));
  const more = [...there].filter(([object]) => !expected.has(object));
  const other = [...there].filter(([object, value]) => (expected.get(object) ?? value) !== value);
  return [
    ...missing.map(([object]) => `${object} is missing`),
    ...more.map(([object]) => `${object} is one too many`),
    ...other.map(([object, value]) => `${object} has the value ${value}, not ${expected.get(object)}`),
  ];
}

/** Returns files of a project that no resource or harness made. `known`: the files at first. */
export function leftOver(project: string, known: ReadonlySet<string>): readonly string[] {
  const ours = new Set([
    'effects.log',
    'point.txt',
    'reached',
    'go',
    'want.json',
    'outputs.json',
    'Pulumi.dev.yaml',
  ]);
  return readdirSync(project).filter(
    (name) => !known.has(name) && !ours.has(name) && !/^[a-z]-\d+\.(txt|dir)$/.test(name),
  );
}
