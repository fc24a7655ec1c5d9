import { settledText } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import { editTextFile } from '@cairn/files';
import { YAMLMap, isMap } from 'yaml';
import { resolveConfigKey } from '../config/config-key.js';
import type { ConfigByKey, ConfigTree } from '../config/config-tree.js';
import type { JsonData } from '../files/json-text.js';
import { jsonFileText } from '../files/json-text.js';
import { FileProblems } from '../yaml/file-problems.js';
import type { ParsedYaml } from '../yaml/parse-yaml.js';
import { parseYaml } from '../yaml/parse-yaml.js';
import type { YamlNode } from '../yaml/yaml-tree.js';
import type { SecretsSettings } from './secrets-settings.js';
import type { StackFile } from './stack-file.js';
import { parseStackFile } from './stack-file.js';
import { NodeSync, yamlKeyText, writeOutAliases } from '../yaml/sync-node.js';

/**
 * Changes to a stack file: the secrets settings, all three at once, and the whole config. Omitted parts remain
 * unchanged.
 */
export interface StackFileChanges {
  readonly secrets?: SecretsSettings;
  readonly config?: ConfigByKey;
}

/** The settings with their keys, in the order of a new file [CFG-10]. */
const SETTINGS = [
  ['secretsprovider', 'secretsProvider'],
  ['encryptedkey', 'encryptedKey'],
  ['encryptionsalt', 'encryptionSalt'],
] as const satisfies readonly (readonly [string, keyof SecretsSettings])[];

const FILE_MODE = 0o644;

/**
 * Matches a list or map on one line with spaces inside its brackets. If a file has none, new ones are written without
 * blanks.
 */
const PADDED_FLOW = /[[{] +[^\s\]}]/;

/**
 * Writes the changed file and returns its new content as read. Comments, order and unknown keys remain, and removed
 * keys are deleted. New keys go to the end of their map, in order of name [CFG-10]. Numbers and booleans directly under
 * `config` become strings.
 *
 * `file` is the file as it was read; other commands may have changed it since. `change` receives the current one, or
 * returns undefined to leave it. The file is locked until it is written. Throws CAIRN-STORE-CONFLICT if its secrets
 * manager changed, since values sealed for the old one are useless.
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
    return changes && settledText(renderStackFile(now, changes));
  });
  return text === undefined ? now : parseStackFile(text, file.path, file.project);
}

function sameManager(now: SecretsSettings, then: SecretsSettings): boolean {
  return SETTINGS.every(([, name]) => now[name] === then[name]);
}

function otherManager({ path }: StackFile): Error {
  return cairnError('CAIRN-STORE-CONFLICT', `another command has changed the secrets manager in ${path}`, {
    hint: 'Run the command again.',
  });
}

/** Returns the text that {@link saveStackFile} writes. */
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
  const pair = root.items.find((item) => yamlKeyText(item.key) === key);
  if (value === undefined || value === '') root.delete(key);
  else if (pair !== undefined) pair.value = sync.sync(pair.value, value);
  else root.add({ key: sync.make(key), value: sync.make(value) });
}

/**
 * Writes the config. Keys in the short form or the older long form get their full form. Values with the same meaning
 * remain as written.
 */
function writeConfig(root: YAMLMap, sync: NodeSync, project: string, config: ConfigByKey): void {
  if (config.size === 0) {
    root.delete('config');
    return;
  }
  const old = root.items.find((item) => yamlKeyText(item.key) === 'config');
  const map = isMap(old?.value) ? old.value : new YAMLMap();
  if (old === undefined) root.add({ key: sync.make('config'), value: map });
  else old.value = map;
  const left = new Map<string, ConfigTree>(config);
  map.items = map.items.filter((pair) => config.has(resolveConfigKey(yamlKeyText(pair.key), project).key));
  for (const pair of map.items) {
    const { key } = resolveConfigKey(yamlKeyText(pair.key), project);
    pair.key = sync.sync(pair.key, key);
    pair.value = sync.sync(pair.value, config.get(key) ?? '');
    left.delete(key);
  }
  if (map.items.length === 0) map.flow = false;
  for (const key of [...left.keys()].sort())
    map.add({ key: sync.make(key), value: sync.make(left.get(key) ?? '') });
}

/**
 * Returns the document's data as JSON, in its order, with four spaces for each level [STATE-1]. JSON has no comments to
 * keep.
 */
function renderJson({ document, dataOf }: ParsedYaml): string {
  return `${jsonFileText(orderedData(dataOf(document.contents)), { indent: 4, escapeHtml: false })}\n`;
}

function orderedData(node: YamlNode): JsonData {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(orderedData);
  return new Map([...node.entries].map(([key, entry]) => [key, orderedData(entry.value)]));
}
