import { cairnError } from '@cairn/diagnostics';
import { editTextFile } from '@cairn/files';
import { YAMLMap, isMap } from 'yaml';
import { resolveConfigKey } from '../config/config-key.js';
import type { Config, ConfigTree } from '../config/config-tree.js';
import type { JsonData } from '../files/json-text.js';
import { jsonFileText } from '../files/json-text.js';
import { FileProblems } from '../yaml/file-problems.js';
import type { ParsedYaml } from '../yaml/parse-yaml.js';
import { parseYaml } from '../yaml/parse-yaml.js';
import type { YamlNode } from '../yaml/yaml-tree.js';
import type { SecretsSettings } from './secrets-settings.js';
import type { StackFile } from './stack-file.js';
import { parseStackFile } from './stack-file.js';
import { NodeSync, keyText, writeOutAliases } from '../yaml/sync-node.js';

/**
 * What to change in a stack file: the secrets settings, all three at once, and the whole config. Parts left out stay.
 */
export interface StackFileChanges {
  readonly secrets?: SecretsSettings;
  readonly config?: Config;
}

/** The settings with their keys, in the order a new file has them [CFG-10]. */
const SETTINGS = [
  ['secretsprovider', 'secretsProvider'],
  ['encryptedkey', 'encryptedKey'],
  ['encryptionsalt', 'encryptionSalt'],
] as const satisfies readonly (readonly [string, keyof SecretsSettings])[];

const FILE_MODE = 0o644;

/** A list or map on one line with blanks inside its brackets; without any such, new ones have none either. */
const PADDED_FLOW = /[[{] +[^\s\]}]/;

/**
 * Writes the changed file and returns it as it reads afterwards. Comments, order and unknown keys stay; removed keys
 * drop; new keys go to the end of their map, in order of name [CFG-10]. Numbers and booleans right under `config`
 * become strings.
 *
 * `file`: as it was read. Others may have changed it since: `change` gets it as it is now, and nobody else writes it
 * until it is written; undefined leaves it. Throws CAIRN-STORE-CONFLICT when its secrets manager is another one now,
 * since what was sealed for the old one is of no use.
 */
export async function saveStackFile(
  file: StackFile,
  change: (now: StackFile) => StackFileChanges | undefined,
): Promise<StackFile> {
  let now = file;
  const text = await editTextFile(file.path, { mode: FILE_MODE, keepMode: true }, (found) => {
    if (found !== file.text) now = parseStackFile(found, file.path, file.project);
    if (!sameManager(now.settings, file.settings)) throw otherManager(file);
    const changes = change(now);
    return changes && renderStackFile(now, changes);
  });
  return text === undefined ? now : parseStackFile(text, file.path, file.project);
}

function sameManager(now: SecretsSettings, then: SecretsSettings): boolean {
  return SETTINGS.every(([, name]) => now[name] === then[name]);
}

function otherManager({ path }: StackFile): Error {
  return cairnError('CAIRN-STORE-CONFLICT', `another command has changed the secrets manager in ${path}`, {
    hint: 'run the command again',
  });
}

/** The text that {@link saveStackFile} writes. */
export function renderStackFile(file: StackFile, changes: StackFileChanges): string {
  const parsed = parseYaml(
    file.text ?? '',
    new FileProblems(file.path, 'stack file', 'CAIRN-CONFIG-INVALID'),
  );
  const { document } = parsed;
  writeOutAliases(document);
  const sync = new NodeSync(parsed);
  const root = isMap(document.contents) ? document.contents : new YAMLMap();
  document.contents = root;
  const keepFlow = root.items.length > 0 && root.flow === true;
  for (const [key, name] of changes.secrets === undefined ? [] : SETTINGS)
    setText(root, sync, key, changes.secrets?.[name]);
  if (changes.config !== undefined) writeConfig(root, sync, file.project, changes.config);
  root.flow = root.items.length === 0 || keepFlow;
  return file.path.endsWith('.json')
    ? renderJson(parsed)
    : document.toString({
        lineWidth: 0,
        indent: 2,
        singleQuote: true,
        flowCollectionPadding: PADDED_FLOW.test(file.text ?? ''),
      });
}

function setText(root: YAMLMap, sync: NodeSync, key: string, value: string | undefined): void {
  const pair = root.items.find((item) => keyText(item.key) === key);
  if (value === undefined || value === '') root.delete(key);
  else if (pair !== undefined) pair.value = sync.sync(pair.value, value);
  else root.add({ key: sync.make(key), value: sync.make(value) });
}

/** Keys in the short form or the older long form get their full form; values that mean the same stay as written. */
function writeConfig(root: YAMLMap, sync: NodeSync, project: string, config: Config): void {
  if (config.size === 0) {
    root.delete('config');
    return;
  }
  const old = root.items.find((item) => keyText(item.key) === 'config');
  const map = isMap(old?.value) ? old.value : new YAMLMap();
  if (old === undefined) root.add({ key: sync.make('config'), value: map });
  else old.value = map;
  const left = new Map<string, ConfigTree>(config);
  map.items = map.items.filter((pair) => config.has(resolveConfigKey(keyText(pair.key), project).key));
  for (const pair of map.items) {
    const { key } = resolveConfigKey(keyText(pair.key), project);
    pair.key = sync.sync(pair.key, key);
    pair.value = sync.sync(pair.value, config.get(key) ?? '');
    left.delete(key);
  }
  if (map.items.length === 0) map.flow = false;
  for (const key of [...left.keys()].sort())
    map.add({ key: sync.make(key), value: sync.make(left.get(key) ?? '') });
}

/** JSON has no comments to keep: the document's data, in its order, four spaces a level [STATE-1]. */
function renderJson({ document, dataOf }: ParsedYaml): string {
  return `${jsonFileText(orderedData(dataOf(document.contents)), { indent: 4, escapeHtml: false })}\n`;
}

function orderedData(node: YamlNode): JsonData {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(orderedData);
  return new Map([...node.entries].map(([key, entry]) => [key, orderedData(entry.value)]));
}
