import { fail } from '@cairn/diagnostics';
import { jsonFileText } from '../files/json-text.js';
import type { YamlNode } from '../yaml/yaml-tree.js';

/**
 * One value of a stack's config. A map of exactly `{secure: <text>}` is a secret with its ciphertext; no plain map may
 * have that form [CFG-6]. At the top level, a value is a text, a secret, a list or a map. Numbers, booleans and null
 * occur only inside lists and maps.
 */
export type ConfigTree = null | boolean | number | bigint | string | ConfigList | ConfigMap;
type ConfigList = readonly ConfigTree[];
interface ConfigMap {
  readonly [key: string]: ConfigTree;
}

/** A stack's config by full key `ns:name`. */
export type ConfigByKey = ReadonlyMap<string, ConfigTree>;

/** A secret with its ciphertext. */
export interface SecureText extends ConfigMap {
  readonly secure: string;
}

export function isConfigList(tree: ConfigTree | undefined): tree is ConfigList {
  return Array.isArray(tree);
}

/** Tells whether a value is a map; secrets do not count as maps. */
export function isConfigMap(tree: ConfigTree | undefined): tree is ConfigMap {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree) && !isSecure(tree);
}

export function isSecure(tree: ConfigTree | undefined): tree is SecureText {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return false;
  const keys = Object.keys(tree);
  return keys.length === 1 && keys[0] === 'secure' && typeof (tree as ConfigMap)['secure'] === 'string';
}

/** Tells whether the value is or contains a secret. */
export function hasSecure(tree: ConfigTree): boolean {
  if (isSecure(tree)) return true;
  if (isConfigList(tree)) return tree.some(hasSecure);
  return isConfigMap(tree) && Object.values(tree).some(hasSecure);
}

/** Yields the ciphertexts of a config. */
export function* secureTexts(config: ConfigByKey): Generator<string> {
  const found: string[] = [];
  for (const tree of config.values()) {
    mapSecrets(tree, (ciphertext) => {
      found.push(ciphertext);
      return '';
    });
    yield* found.splice(0);
  }
}

/** Creates a map without a prototype, so that every key is data. */
export function configMap(entries: Iterable<readonly [string, ConfigTree]>): ConfigMap {
  const map = Object.create(null) as Record<string, ConfigTree>;
  for (const [key, value] of entries) map[key] = value;
  return map;
}

/**
 * Replaces every secret text in a value: to decrypt, blind or reencrypt it. `change` receives the ciphertext and
 * returns its replacement.
 */
export function mapSecrets(tree: ConfigTree, change: (ciphertext: string) => ConfigTree): ConfigTree {
  if (isSecure(tree)) return change(tree.secure);
  if (isConfigList(tree)) return tree.map((item) => mapSecrets(item, change));
  if (isConfigMap(tree))
    return configMap(Object.entries(tree).map(([key, value]) => [key, mapSecrets(value, change)] as const));
  return tree;
}

/** Returns the text that a program receives: a text unchanged, everything else as compact JSON with sorted keys. */
export function configText(tree: ConfigTree): string {
  if (typeof tree === 'string') return tree;
  return jsonText(tree);
}

/**
 * Returns {@link configText} in the form that programs of the reference receive. In lists and maps, `<`, `>` and `&`
 * are escapes. Whole numbers beyond 64 bits with a sign are doubles, and there is no negative zero.
 */
export function programText(tree: ConfigTree): string {
  if (typeof tree === 'string') return tree;
  return jsonText(asDoubles(tree)).replace(HTML, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

/** In JSON these characters occur only in texts. */
const HTML = /[<>&]/g;

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

function asDoubles(tree: ConfigTree): ConfigTree {
  if (typeof tree === 'bigint') return tree > INT64_MAX || tree < INT64_MIN ? Number(tree) : tree;
  if (typeof tree === 'number') return tree === 0 ? 0 : tree;
  if (isConfigList(tree)) return tree.map(asDoubles);
  if (typeof tree !== 'object' || tree === null) return tree;
  return configMap(Object.entries(tree).map(([key, value]) => [key, asDoubles(value)] as const));
}

/** Returns compact JSON with keys in the order of their UTF-8 bytes and exact integers [STATE-1]. */
export function jsonText(tree: ConfigTree): string {
  if (typeof tree === 'bigint') return tree.toString();
  if (typeof tree === 'number') return numberText(tree);
  if (typeof tree === 'string') return jsonString(tree);
  if (tree === null || typeof tree === 'boolean') return String(tree);
  if (isConfigList(tree)) return `[${tree.map(jsonText).join(',')}]`;
  const keys = Object.keys(tree).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${keys.map((key) => `${jsonString(key)}:${jsonText((tree as ConfigMap)[key] ?? null)}`).join(',')}}`;
}

function jsonString(text: string): string {
  return jsonFileText(text, { indent: 0, escapeHtml: false });
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) {
    fail('CAIRN-CONFIG-INVALID', `cannot use ${value} as a config value: JSON has no such number`, {
      hint: 'Write it as a quoted string.',
    });
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Returns the value of a node inside a list or map of a config file. Keys that are not texts become their text. */
export function treeOfNode(node: YamlNode): ConfigTree {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(treeOfNode);
  return configMap([...node.entries].map(([key, entry]) => [key, treeOfNode(entry.value)] as const));
}

/** Returns a value in the form of the top level of a config: scalars become their text, null the empty text [CFG-6]. */
export function topLevelTree(tree: ConfigTree): ConfigTree {
  if (tree === null) return '';
  return typeof tree === 'object' ? tree : configText(tree);
}
