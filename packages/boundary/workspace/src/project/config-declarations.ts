import { resolveConfigKey } from '../config/config-key.js';
import type { ConfigTree } from '../config/config-tree.js';
import { hasSecure, treeOfNode } from '../config/config-tree.js';
import { configTypeText, configTypes, hasConfigType, isConfigType } from '../config/config-type.js';
import type { FileProblems } from '../yaml/file-problems.js';
import type { MapReader } from '../yaml/shape.js';
import type { YamlEntry } from '../yaml/yaml-tree.js';
import type { ConfigDeclaration, ConfigItems } from './project.js';

/**
 * Reads the project's `config` [CFG-3]: full declarations, and scalars or lists as a short form of `default` or
 * `value`.
 */
export function readConfigDeclarations(
  reader: MapReader,
  project: string,
  problems: FileProblems,
): ReadonlyMap<string, ConfigDeclaration> {
  const declarations = new Map<string, ConfigDeclaration>();
  for (const entry of reader.map.entries.values()) {
    const declaration = readOne(reader, entry, project, problems);
    if (declaration !== undefined) declarations.set(declaration.key, declaration);
  }
  return declarations;
}

function readOne(
  reader: MapReader,
  entry: YamlEntry,
  project: string,
  problems: FileProblems,
): ConfigDeclaration | undefined {
  const { key, problem } = resolveConfigKey(entry.key, project);
  if (problem !== undefined) {
    problems.add(entry.keyAt, `${reader.where(entry.key)} is not a config key: ${problem}`);
    return undefined;
  }
  const own = key.startsWith(`${project}:`);
  const source = { file: problems.file, line: entry.keyAt.line, column: entry.keyAt.column };
  const bare = {
    key,
    own,
    type: undefined,
    items: undefined,
    description: undefined,
    secret: false,
    default: undefined,
    value: undefined,
    source,
  };
  const node = entry.value;
  if (node.kind === 'scalar' && node.value === null) return bare;
  if (node.kind === 'map') return readFull(reader, entry, bare);
  if (node.kind === 'scalar' && typeof node.value === 'number')
    return reader.mismatch(entry.key, node, 'a string, an integer, a boolean, a list or a declaration');
  const given: ConfigTree = treeOfNode(node);
  return own ? { ...bare, default: given } : { ...bare, value: given };
}

function readFull(
  reader: MapReader,
  entry: YamlEntry,
  bare: ConfigDeclaration,
): ConfigDeclaration | undefined {
  const full = reader.asMap(entry.value, entry.key);
  if (full === undefined) return undefined;
  const shape = readType(full);
  const given = (name: string): ConfigTree | undefined => {
    const node = full.entry(name)?.value;
    return node === undefined ? undefined : treeOfNode(node);
  };
  const declaration: ConfigDeclaration = {
    ...bare,
    type: shape?.type,
    items: shape?.items,
    description: full.text('description'),
    secret: full.flag('secret') ?? false,
    default: given('default'),
    value: given('value'),
  };
  full.refuseOthers();
  checkDeclaration(full, declaration);
  return declaration;
}

function readType(reader: MapReader): ConfigItems | undefined {
  const type = reader.text('type');
  const inner = reader.submap('items');
  const items = inner === undefined ? undefined : readType(inner);
  inner?.refuseOthers();
  if (inner !== undefined && inner.entry('type') === undefined) inner.problem('type', 'is missing');
  if (type === undefined) return undefined;
  if (!isConfigType(type))
    return reader.problem('type', `cannot be "${type}"`, `Types are ${configTypes.join(', ')}.`);
  if (type === 'array' && inner === undefined)
    return reader.problem('items', 'is missing: an array needs the type of its items');
  if (type !== 'array' && inner !== undefined) return reader.problem('items', 'belongs to type array only');
  return { type, items };
}

function checkDeclaration(reader: MapReader, declaration: ConfigDeclaration): void {
  const { own, type, items, value } = declaration;
  if (declaration.default !== undefined && value !== undefined)
    reader.problem('value', 'and "default" exclude each other');
  if (!own && type !== undefined) reader.problem('type', 'is for the keys of the project only');
  if (!own && declaration.default !== undefined)
    reader.problem('default', 'is for the keys of the project only', 'Use "value".');
  if (!own && value === undefined)
    reader.problem('value', 'is missing: a key of another namespace needs one');
  if (type === undefined) return;
  for (const name of ['default', 'value'] as const) {
    const given = declaration[name];
    // The type of a sealed value is checked when it is decrypted.
    if (given !== undefined && !hasSecure(given) && !hasConfigType(given, type, items))
      reader.problem(name, `must be of type ${configTypeText(type, items)}`);
  }
}
