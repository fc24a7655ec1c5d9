import { nearest } from '@cairn/diagnostics';
import type { FileProblems, YamlPosition } from './file-problems.js';
import type { YamlEntry, YamlMap, YamlNode } from './yaml-tree.js';

/** JSON-like data of keys that Cairn keeps and does not interpret. */
export type PlainData =
  null | boolean | number | string | readonly PlainData[] | { readonly [key: string]: PlainData };

/**
 * Reads typed members of one map. Every mismatch is recorded with its place and reads as undefined. `path` is for
 * messages, e.g. `template`.
 */
export class MapReader {
  readonly #read = new Set<string>();
  readonly #path: string;
  readonly #problems: FileProblems;

  constructor(
    readonly map: YamlMap,
    path: string,
    problems: FileProblems,
  ) {
    this.#path = path;
    this.#problems = problems;
  }

  get at(): YamlPosition {
    return this.map.at;
  }

  /** Returns the entry under a key, or undefined if it is missing or null. */
  entry(key: string): YamlEntry | undefined {
    this.#read.add(key);
    const entry = this.map.entries.get(key);
    return entry === undefined || (entry.value.kind === 'scalar' && entry.value.value === null)
      ? undefined
      : entry;
  }

  text(key: string): string | undefined {
    const node = this.entry(key)?.value;
    if (node === undefined) return undefined;
    return node.kind === 'scalar' && typeof node.value === 'string'
      ? node.value
      : this.mismatch(key, node, 'a string');
  }

  requiredText(key: string): string {
    const text = this.text(key);
    if (text === undefined && this.entry(key) === undefined)
      this.#problems.add(this.at, `${this.where(key)} is missing`);
    if (text === '') this.#problems.add(this.at, `${this.where(key)} must not be empty`);
    return text ?? '';
  }

  flag(key: string): boolean | undefined {
    const node = this.entry(key)?.value;
    if (node === undefined) return undefined;
    return node.kind === 'scalar' && typeof node.value === 'boolean'
      ? node.value
      : this.mismatch(key, node, 'true or false');
  }

  /** Reads a whole number of at least 1. */
  count(key: string): number | undefined {
    const node = this.entry(key)?.value;
    if (node === undefined) return undefined;
    const value = node.kind === 'scalar' ? node.value : undefined;
    const wanted = 'a whole number of at least 1';
    if (typeof value !== 'bigint' && typeof value !== 'number') return this.mismatch(key, node, wanted);
    const number = Number(value);
    if (Number.isSafeInteger(number) && number >= 1) return number;
    return this.problem(key, `must be ${wanted}, not ${String(value)}`);
  }

  texts(key: string): readonly string[] | undefined {
    const nodes = this.list(key);
    return nodes?.flatMap((node) => {
      if (node.kind === 'scalar' && typeof node.value === 'string') return [node.value];
      this.mismatch(key, node, 'a list of strings');
      return [];
    });
  }

  list(key: string): readonly YamlNode[] | undefined {
    const node = this.entry(key)?.value;
    if (node === undefined) return undefined;
    return node.kind === 'list' ? node.items : this.mismatch(key, node, 'a list');
  }

  submap(key: string): MapReader | undefined {
    const node = this.entry(key)?.value;
    return node === undefined ? undefined : this.asMap(node, key);
  }

  /** Returns a reader of a node that must be a map. `key` names it in messages. */
  asMap(node: YamlNode, key: string): MapReader | undefined {
    return node.kind === 'map'
      ? new MapReader(node, this.#pathOf(key), this.#problems)
      : this.mismatch(key, node, 'a map');
  }

  /** Records every unread key as a problem, with the nearest known key. Call it after all reads. */
  refuseOthers(): void {
    for (const entry of this.others()) {
      const near = this.nearest(entry.key);
      this.#problems.add(
        entry.keyAt,
        `unknown key ${this.where(entry.key)}`,
        near === undefined ? `Known keys: ${[...this.#read].sort().join(', ')}.` : `Did you mean "${near}"?`,
      );
    }
  }

  /** Returns the entries that were not read. */
  others(): readonly YamlEntry[] {
    return [...this.map.entries.values()].filter((entry) => !this.#read.has(entry.key));
  }

  /** Returns the read key that is nearest to another one, or undefined if none is near. */
  nearest(key: string): string | undefined {
    return nearest(key, [...this.#read]);
  }

  /** Records a problem at the value of a key, or at the map if the key is missing. */
  problem(key: string, text: string, hint?: string): undefined {
    this.#problems.add(this.map.entries.get(key)?.value.at ?? this.at, `${this.where(key)} ${text}`, hint);
    return undefined;
  }

  mismatch(key: string, node: YamlNode, wanted: string): undefined {
    this.#problems.add(node.at, `${this.where(key)} must be ${wanted}, not ${describeNode(node)}`);
    return undefined;
  }

  /** Returns the full name of a key, in quotes. */
  where(key: string): string {
    return `"${this.#pathOf(key)}"`;
  }

  #pathOf(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }
}

/** Describes the kind of a node. */
function describeNode(node: YamlNode): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a map';
  if (node.value === null) return 'empty';
  if (typeof node.value === 'string') return 'a string';
  return typeof node.value === 'boolean' ? 'a boolean' : 'a number';
}

/** Returns the data of a node; integers beyond 2^53 lose precision. */
export function plainData(node: YamlNode): PlainData {
  if (node.kind === 'list') return node.items.map(plainData);
  if (node.kind === 'scalar') return typeof node.value === 'bigint' ? Number(node.value) : node.value;
  const object = Object.create(null) as Record<string, PlainData>;
  for (const [key, entry] of node.entries) object[key] = plainData(entry.value);
  return object;
}
