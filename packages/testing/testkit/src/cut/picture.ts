import { urnName } from '@cairn/addresses';
import { encodeSnapshot, newManifest } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import type { CutWorld } from './cut-world.js';
import { sealing } from './sealing.js';

/**
 * State and world of a stack without the parts that differ between runs: ids, times, order, and the settings through
 * which an object was last changed. Lines are sorted by resource.
 */
export interface Picture {
  readonly entries: readonly PictureLine[];
  readonly objects: readonly PictureLine[];
}

interface PictureLine {
  readonly name: string;
  readonly text: string;
}

/**
 * Ignored fields: times, places in the program, values that a provider reports only for a new object, and the id of an
 * adopted object.
 */
const PASSING = new Set([
  'created',
  'modified',
  'sourcePosition',
  'stackTrace',
  'refreshBeforeUpdate',
  'importID',
]);

const IDS = /\b(?:(?:id|prior)-\d+|outside-r\dx?|default-pkg[AB]|00000000-0000-4000-8000-[0-9a-f]{12})\b/g;

/**
 * Returns the picture of a stack. An object's id becomes the name of its resource, with a number if several are live. A
 * provider's id becomes its resource's name too. An id that no longer belongs to anything becomes `gone`.
 */
export function pictureOf(snapshot: Snapshot, world: CutWorld): Picture {
  const names = idNames(snapshot, world);
  const clean = (text: string) => text.replace(IDS, (id) => names.get(id) ?? 'gone');
  const { resources = [] } = encodeSnapshot(snapshot, newManifest(new Date(0), 'v1.0.0'), sealing);
  const entries = resources.map((entry) => ({
    name: urnName(entry.urn as never),
    text: clean(
      JSON.stringify(inOrder(withoutEmpty(entry)), (key, value: unknown) =>
        PASSING.has(key) ? undefined : value,
      ),
    ),
  }));
  const objects = [...world.objects].map(([id, { urn, inputs, outputs }]) => ({
    name: urnName(urn),
    text: clean(JSON.stringify([id, urn, inOrder(inputs), inOrder(outputs)])),
  }));
  return { entries: sorted(entries), objects: sorted(objects) };
}

/** Returns type and name. */
function shortUrn(urn: string): string {
  return urn.split('::').slice(2).join(' ');
}

/** Returns the differences as lines. Resources in `stays` are not compared. */
export function differences(
  expected: Picture,
  found: Picture,
  stays: readonly string[] = [],
): readonly string[] {
  return (['entries', 'objects'] as const).flatMap((part) => {
    const lines = (picture: Picture) =>
      picture[part].filter(({ name }) => !stays.includes(name)).map(({ text }) => text);
    const [wanted, there] = [lines(expected), lines(found)];
    return [
      ...without(wanted, there).map((text) => `${part}: missing ${text}`),
      ...without(there, wanted).map((text) => `${part}: unexpected ${text}`),
    ];
  });
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function idNames(snapshot: Snapshot, world: CutWorld): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const name = (id: string, of: string) => {
    if (id === '' || names.has(id)) return;
    const count = (counts.get(of) ?? 0) + 1;
    counts.set(of, count);
    names.set(id, count === 1 ? `<${of}>` : `<${of} ${count}>`);
  };
  // Entries come first: the name of a live entry's object does not depend on other objects.
  for (const entry of snapshot.resources) if (!entry.delete) name(entry.id, shortUrn(entry.urn));
  for (const entry of snapshot.resources) name(entry.id, shortUrn(entry.urn));
  for (const [id, { urn }] of world.objects) name(id, shortUrn(urn));
  return names;
}

/** Sorts an object's keys and arrays of URNs, whose order has no meaning. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.every((item) => typeof item === 'string') ? items.sort() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, inOrder(each)]),
  );
}

/** Removes empty lists: an input without dependencies may be listed or not. */
function withoutEmpty<E extends { readonly propertyDependencies?: unknown }>(entry: E): E {
  const lists = Object.entries(entry.propertyDependencies ?? {});
  const some = lists.filter(([, urns]) => Array.isArray(urns) && urns.length > 0);
  return { ...entry, propertyDependencies: some.length === 0 ? undefined : Object.fromEntries(some) };
}

function sorted(lines: PictureLine[]): readonly PictureLine[] {
  return lines.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
}
