import { fail } from '@cairn/diagnostics';
import type { PathSegment, PropertyPath } from '@cairn/values';
import { formatPath } from '@cairn/values';
import type { ConfigTarget } from './config-key.js';
import type { ConfigByKey, ConfigTree } from './config-tree.js';
import { configMap, hasSecure, isConfigList, isConfigMap, isSecure, topLevelTree } from './config-tree.js';

/** Returns the value at a place, or undefined. Lists take an index and maps a key; a secret cannot be indexed. */
export function getConfig(config: ConfigByKey, target: ConfigTarget): ConfigTree | undefined {
  let current = config.get(target.key);
  for (const segment of target.path) current = childOf(current, segment);
  return current;
}

/**
 * Returns the config with the value set at a place [CFG-7]. Missing containers are created: an index creates a list, a
 * key a map. A text or secret in the way is replaced directly under the key and refused deeper. A list grows by at most
 * one item. Fails with `CAIRN-CONFIG-INVALID`.
 */
export function setConfig(config: ConfigByKey, target: ConfigTarget, value: ConfigTree): ConfigByKey {
  const edit = new PathEdit(target);
  const changed = new Map(config);
  changed.set(target.key, topLevelTree(edit.set(config.get(target.key), 0, value)));
  return changed;
}

/** Returns the config without the place; later items of a list move up. Returns undefined if the place had no value. */
export function removeConfig(config: ConfigByKey, target: ConfigTarget): ConfigByKey | undefined {
  const old = getConfig(config, target);
  if (old === undefined) return undefined;
  const changed = new Map(config);
  const root = config.get(target.key);
  if (target.path.length === 0 || root === undefined) changed.delete(target.key);
  else changed.set(target.key, new PathEdit(target).remove(root, 0));
  return changed;
}

/** Converts config that was stored as JSON beside a state [STORE-9]. Secrets keep their ciphertexts. */
export function treeOfStored(data: unknown): ConfigTree {
  if (Array.isArray(data)) return data.map(treeOfStored);
  if (typeof data !== 'object' || data === null) return data as ConfigTree;
  return configMap(Object.entries(data).map(([key, value]) => [key, treeOfStored(value)] as const));
}

/**
 * Converts JSON data to a plain value. Fails with `CAIRN-CONFIG-INVALID` for a map of the form that is reserved for
 * secrets.
 */
export function treeOfJson(data: unknown): ConfigTree {
  const tree = treeOfStored(data);
  if (!hasSecure(tree)) return tree;
  return fail('CAIRN-CONFIG-INVALID', 'cannot set a map with only the key "secure" and a text', {
    hint: 'That form is reserved for secrets: give the value with --secret.',
  });
}

function childOf(tree: ConfigTree | undefined, segment: PathSegment): ConfigTree | undefined {
  if (isConfigList(tree)) return typeof segment === 'number' ? tree[segment] : undefined;
  return isConfigMap(tree) && typeof segment === 'string' && Object.hasOwn(tree, segment)
    ? tree[segment]
    : undefined;
}

class PathEdit {
  readonly #path: PropertyPath;
  readonly #target: ConfigTarget;

  constructor(target: ConfigTarget) {
    this.#target = target;
    this.#path = target.path;
  }

  set(old: ConfigTree | undefined, depth: number, value: ConfigTree): ConfigTree {
    const segment = this.#path[depth];
    if (segment === undefined) return value;
    const isContainer = isConfigList(old) || isConfigMap(old);
    if (!isContainer && depth > 0 && old !== undefined && old !== null)
      return this.#refuse(depth, `expected ${kindFor(segment)} there`);
    const within = isContainer ? old : undefined;
    return typeof segment === 'number'
      ? this.#setItem(within, segment, depth, value)
      : this.#setMember(within, segment, depth, value);
  }

  remove(old: ConfigTree, depth: number): ConfigTree {
    const segment = this.#path[depth];
    const isLast = depth === this.#path.length - 1;
    if (isConfigList(old) && typeof segment === 'number') {
      return isLast
        ? old.toSpliced(segment, 1)
        : old.with(segment, this.remove(old[segment] ?? null, depth + 1));
    }
    if (!isConfigMap(old) || typeof segment !== 'string') return old;
    const entries = new Map(Object.entries(old));
    if (isLast) entries.delete(segment);
    else entries.set(segment, this.remove(old[segment] ?? null, depth + 1));
    return this.#plainMap(entries, depth);
  }

  #setItem(old: ConfigTree | undefined, index: number, depth: number, value: ConfigTree): ConfigTree {
    if (old === undefined) {
      if (index > MAX_NEW_LIST) return this.#refuse(depth, `index ${index} is too far for a new list`);
      return Array.from({ length: index + 1 }, (_, at): ConfigTree =>
        at === index ? this.set(undefined, depth + 1, value) : null,
      );
    }
    if (!isConfigList(old)) return this.#refuse(depth, 'expected a map key there, not an index');
    if (index > old.length)
      return this.#refuse(depth, `the list has ${old.length} items and can grow by one at a time`);
    return old.toSpliced(index, 1, this.set(old[index], depth + 1, value));
  }

  #setMember(old: ConfigTree | undefined, key: string, depth: number, value: ConfigTree): ConfigTree {
    if (isConfigList(old)) return this.#refuse(depth, 'expected an index there, not a map key');
    const entries = new Map(isConfigMap(old) ? Object.entries(old) : []);
    entries.set(key, this.set(entries.get(key), depth + 1, value));
    return this.#plainMap(entries, depth);
  }

  /** Returns a map, and refuses one that looks like a secret. */
  #plainMap(entries: ReadonlyMap<string, ConfigTree>, depth: number): ConfigTree {
    const map = configMap(entries);
    return isSecure(map)
      ? this.#refuse(depth, 'a map with only the key "secure" and a text is reserved for secrets')
      : map;
  }

  #refuse(depth: number, problem: string): never {
    const shown = formatPath([this.#target.key, ...this.#path.slice(0, depth + 1)]);
    return fail('CAIRN-CONFIG-INVALID', `cannot change config at ${shown}: ${problem}`, {
      hint: `See the current value with "cairn config get ${this.#target.key}".`,
    });
  }
}

/**
 * Limit of the first index in a new list, which is filled with nulls up to it. A larger index is probably a typing
 * error.
 */
const MAX_NEW_LIST = 10_000;

function kindFor(segment: PathSegment): string {
  return typeof segment === 'number' ? 'a list' : 'a map';
}
