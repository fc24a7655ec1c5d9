import type { Document, Node } from 'yaml';
import { Scalar, YAMLMap, YAMLSeq, isAlias, isMap, isNode, isScalar, isSeq, visit } from 'yaml';
import type { ConfigTree } from '../config/config-tree.js';
import { isConfigList, jsonText, treeOfNode } from '../config/config-tree.js';
import { needsQuotes } from './plain-scalar.js';
import type { ParsedYaml } from './parse-yaml.js';

/**
 * Updates nodes of a parsed document to given values. Nodes that already have the same meaning keep their comments and
 * spelling. The document was parsed with the `failsafe` schema, so this module handles quotes.
 */
export class NodeSync {
  readonly #parsed: ParsedYaml;

  constructor(parsed: ParsedYaml) {
    this.#parsed = parsed;
  }

  /** Returns the old node, changed where necessary, or a new node with its comments. */
  sync(old: unknown, value: ConfigTree): Node {
    if (!isNode(old)) return this.make(value);
    if (this.#means(old, value)) return old;
    if (isMap(old) && isObject(value)) return this.#syncMap(old, value);
    if (isSeq(old) && isConfigList(value)) return this.#syncList(old, value);
    return this.#replace(old, value);
  }

  /** Creates a node for the value. Keys of maps are in order of name. */
  make(value: ConfigTree): Node {
    if (isConfigList(value)) {
      const list = new YAMLSeq();
      list.items = value.map((item) => this.make(item));
      list.flow = value.length === 0;
      return list;
    }
    if (!isObject(value)) return makeScalar(value);
    const map = new YAMLMap();
    this.#append(map, value, Object.keys(value));
    map.flow = map.items.length === 0;
    return map;
  }

  #means(node: Node, value: ConfigTree): boolean {
    const tree = treeOfNode(this.#parsed.dataOf(node));
    return typeof tree === typeof value && safeText(tree) === safeText(value);
  }

  #syncMap(map: YAMLMap, value: { readonly [key: string]: ConfigTree }): Node {
    if (map.items.some((pair) => yamlKeyText(pair.key) === '<<')) return this.#replace(map, value);
    map.items = map.items.filter((pair) => Object.hasOwn(value, yamlKeyText(pair.key)));
    for (const pair of map.items) pair.value = this.sync(pair.value, value[yamlKeyText(pair.key)] ?? null);
    const present = new Set(map.items.map((pair) => yamlKeyText(pair.key)));
    this.#append(
      map,
      value,
      Object.keys(value).filter((key) => !present.has(key)),
    );
    return map;
  }

  #append(map: YAMLMap, value: { readonly [key: string]: ConfigTree }, keys: readonly string[]): void {
    if (keys.length > 0 && map.items.length === 0) map.flow = false;
    for (const key of [...keys].sort())
      map.items.push(this.#parsed.document.createPair(makeScalar(key), this.make(value[key] ?? null)));
  }

  #syncList(list: YAMLSeq, value: readonly ConfigTree[]): Node {
    if (list.items.length === 0) list.flow = value.length === 0;
    list.items = value.map((item, index) => this.sync(list.items[index], item));
    return list;
  }

  #replace(old: Node, value: ConfigTree): Node {
    const made = this.make(value);
    made.comment = old.comment;
    made.commentBefore = old.commentBefore;
    made.spaceBefore = old.spaceBefore;
    return made;
  }
}

/**
 * Replaces aliases by their content. This must precede an edit, because an alias would change its meaning together with
 * its anchor.
 */
export function writeOutAliases(document: Document): void {
  visit(document, {
    Alias: (_, alias) => {
      const target = alias.resolve(document);
      if (target === undefined) return undefined;
      const copy = target.clone() as Node;
      withoutAnchors(copy);
      return copy;
    },
  });
  if (document.contents !== null) withoutAnchors(document.contents as Node);
}

function withoutAnchors(node: Node): void {
  visit(node, {
    Node: (_, inner) => {
      if (!isAlias(inner)) delete inner.anchor;
    },
  });
}

/** Returns the text of a key node. */
export function yamlKeyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function makeScalar(value: Exclude<ConfigTree, object> | null): Scalar {
  const isText = typeof value === 'string';
  const scalar = new Scalar(isText ? value : value === null ? 'null' : jsonText(value));
  if (isText && needsQuotes(value)) scalar.type = Scalar.QUOTE_DOUBLE;
  if (!isText) scalar.type = Scalar.PLAIN;
  return scalar;
}

function isObject(value: ConfigTree): value is { readonly [key: string]: ConfigTree } {
  return typeof value === 'object' && value !== null && !isConfigList(value);
}

/** Returns comparable text of any value. Unlike JSON, it has a text for each number. */
function safeText(tree: ConfigTree): string {
  if (typeof tree === 'number' && !Number.isFinite(tree)) return String(tree);
  if (isConfigList(tree)) return `[${tree.map(safeText).join(',')}]`;
  if (isObject(tree)) {
    return `{${Object.keys(tree)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${safeText(tree[key] ?? null)}`)
      .join(',')}}`;
  }
  return jsonText(tree);
}
