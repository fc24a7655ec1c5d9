import type { Document, LineCounter, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { FileProblems, YamlPosition } from './file-problems.js';
import type { ScalarValue } from './plain-scalar.js';
import { resolvePlainScalar } from './plain-scalar.js';

/** A YAML file as plain data with places. Aliases and merge keys are resolved. */
export type YamlNode = YamlScalar | YamlList | YamlMap;

interface YamlScalar {
  readonly kind: 'scalar';
  readonly value: ScalarValue;
  readonly at: YamlPosition;
}

interface YamlList {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
  readonly at: YamlPosition;
}

export interface YamlMap {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, YamlEntry>;
  readonly at: YamlPosition;
}

/**
 * An entry of a map. `keyIsText` is true if the key was a string. Otherwise it was a number, a boolean or null, and
 * `key` is its text.
 */
export interface YamlEntry {
  readonly key: string;
  readonly keyIsText: boolean;
  readonly keyAt: YamlPosition;
  readonly value: YamlNode;
}

/**
 * Limit above the number of nodes in any real file, and below a harmful number. A file that aliases its aliases stops
 * here.
 */
const MAX_NODES = 100_000;
const TYPED_TAGS: ReadonlySet<string> = new Set(
  ['null', 'bool', 'int', 'float', 'timestamp'].map((name) => `tag:yaml.org,2002:${name}`),
);

/** Number of reported problems of one sort. */
const SHOW_AT_MOST = 10;

/** Builds the tree of one document that was parsed with the `failsafe` schema (every scalar is a text there). */
export class TreeBuilder {
  #count = 0;
  #seconds = 0;
  readonly #open = new Set<Node>();
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #problems: FileProblems;

  constructor(document: Document, lines: LineCounter, problems: FileProblems) {
    this.#document = document;
    this.#lines = lines;
    this.#problems = problems;
  }

  build(node: unknown): YamlNode {
    const at = this.#placeOf(node);
    if (++this.#count > MAX_NODES)
      this.#problems.fail(
        at,
        `it has more than ${MAX_NODES} values when its aliases are written out`,
        'Use fewer aliases.',
      );
    if (isAlias(node)) return this.#buildAlias(node, at);
    if (isScalar(node)) return { kind: 'scalar', value: this.#scalarValue(node, at), at };
    if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => this.build(item)), at };
    if (isMap(node)) return { kind: 'map', entries: this.#entriesOf(node), at };
    return { kind: 'scalar', value: null, at };
  }

  #buildAlias(
    node: Parameters<typeof isAlias>[0] & { resolve?: unknown; source?: string },
    at: YamlPosition,
  ): YamlNode {
    const target = isAlias(node) ? node.resolve(this.#document) : undefined;
    if (target === undefined)
      return this.#problems.fail(at, `the alias *${node.source ?? ''} has no anchor before it`);
    if (this.#open.has(target))
      return this.#problems.fail(at, `the alias *${node.source ?? ''} contains itself`);
    this.#open.add(target);
    const built = this.build(target);
    this.#open.delete(target);
    return built;
  }

  #entriesOf(map: YAMLMap): ReadonlyMap<string, YamlEntry> {
    const entries = new Map<string, YamlEntry>();
    const merged: YamlNode[] = [];
    for (const pair of map.items as Pair[]) {
      const key = this.#keyOf(pair.key);
      if (key.isMerge) merged.push(this.build(pair.value));
      else {
        if (entries.has(key.text)) this.#refuseSecond(key.at);
        const value = this.build(pair.value);
        entries.set(key.text, { key: key.text, keyIsText: key.isText, keyAt: key.at, value });
      }
    }
    for (const source of merged) this.#mergeUnder(entries, source);
    return entries;
  }

  #refuseSecond(at: YamlPosition): void {
    this.#seconds += 1;
    if (this.#seconds <= SHOW_AT_MOST)
      this.#problems.add(at, 'Map keys must be unique', 'Keep one of the two entries.');
  }

  /** Adds merged keys. Keys of the map itself win over merged ones, and earlier sources over later ones. */
  #mergeUnder(entries: Map<string, YamlEntry>, source: YamlNode): void {
    if (source.kind === 'list') {
      for (const item of source.items) this.#mergeUnder(entries, item);
    } else if (source.kind === 'map') {
      for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, entry);
    } else {
      this.#problems.fail(source.at, 'a merge key (<<) takes a map or a list of maps');
    }
  }

  #keyOf(node: unknown): { text: string; isText: boolean; isMerge: boolean; at: YamlPosition } {
    const at = this.#placeOf(node);
    const target = isAlias(node) ? node.resolve(this.#document) : node;
    if (target === null || target === undefined) return { text: 'null', isText: false, isMerge: false, at };
    if (!isScalar(target)) return this.#problems.fail(at, 'a key must be a string, not a list or a map');
    const value = this.#scalarValue(target, at);
    const isMerge = value === '<<' && target.type === 'PLAIN';
    return { text: String(value), isText: typeof value === 'string', isMerge, at };
  }

  #scalarValue(node: Scalar, at: YamlPosition): ScalarValue {
    const text = typeof node.value === 'string' ? node.value : '';
    if (node.tag === undefined)
      return node.type === 'PLAIN' || node.type === undefined
        ? resolvePlainScalar(node.source ?? text)
        : text;
    if (TYPED_TAGS.has(node.tag)) return resolvePlainScalar(text);
    if (node.tag === 'tag:yaml.org,2002:binary')
      return this.#problems.fail(
        at,
        'binary values are not supported',
        'Write the value as a base64 text without the tag.',
      );
    return text;
  }

  #placeOf(node: unknown): YamlPosition {
    const offset = (node as Node | null | undefined)?.range?.[0] ?? 0;
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}
