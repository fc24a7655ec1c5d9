import { join } from 'node:path';
import type { Diagnostic } from '@cairn/diagnostics';
import { nearest, warningDiagnostic } from '@cairn/diagnostics';
import type { ConfigByKey } from '../config/config-tree.js';
import { topLevelTree, treeOfNode } from '../config/config-tree.js';
import { resolveConfigKey } from '../config/config-key.js';
import { readTextFile } from '@cairn/files';
import type { Project } from '../project/project.js';
import type { YamlPosition } from '../yaml/file-problems.js';
import { FileProblems } from '../yaml/file-problems.js';
import { parseYaml } from '../yaml/parse-yaml.js';
import type { PlainData } from '../yaml/shape.js';
import { MapReader, plainData } from '../yaml/shape.js';
import type { SecretsSettings } from './secrets-settings.js';

/** Content of a stack file [CFG-6]. `environment` is as written, or undefined if absent or empty. */
export interface StackSettings extends SecretsSettings {
  readonly config: ConfigByKey;
  readonly environment: PlainData | undefined;
}

/**
 * A stack file as read. `text` is undefined if there is no file. `warnings` report values that were read in a way the
 * user may not expect.
 */
export interface StackFile {
  readonly path: string;
  readonly project: string;
  readonly text: string | undefined;
  readonly settings: StackSettings;
  /** Places of the config keys in the text. */
  readonly places: ReadonlyMap<string, YamlPosition>;
  readonly warnings: readonly Diagnostic[];
}

const KNOWN = ['secretsprovider', 'encryptedkey', 'encryptionsalt', 'config', 'environment'] as const;

/**
 * Returns the path of a stack's file. It is beside the project file or in its `stackConfigDir`, with the project file's
 * base name and extension [CFG-1].
 */
export function stackFilePath(project: Project, stack: string): string {
  const { directory, base, extension } = project.location;
  return join(directory, project.stackConfigDir ?? '', `${base}.${stack.replaceAll('/', '-')}.${extension}`);
}

/**
 * Reads a stack's file; `path` overrides its location (`--config-file`). A missing or empty file is an empty config.
 */
export async function loadStackFile(
  project: Project,
  stack: string,
  path: string = stackFilePath(project, stack),
): Promise<StackFile> {
  return parseStackFile(await readTextFile(path), path, project.name);
}

/** Parses a stack file. Fails with `CAIRN-CONFIG-INVALID`, one diagnostic for each problem, with line and column. */
export function parseStackFile(text: string | undefined, path: string, project: string): StackFile {
  const empty = {
    secretsProvider: undefined,
    encryptedKey: undefined,
    encryptionSalt: undefined,
    config: new Map(),
    environment: undefined,
  };
  const nothing = { path, project, text, settings: empty, places: new Map(), warnings: [] };
  if (text === undefined) return nothing;
  const problems = new FileProblems(path, 'stack file', 'CAIRN-CONFIG-INVALID');
  const { root } = parseYaml(text, problems);
  if (root === undefined || (root.kind === 'scalar' && root.value === null)) return nothing;
  if (root.kind !== 'map') return problems.fail(root.at, 'it must be a map of keys');
  for (const entry of root.entries.values())
    if (!entry.keyIsText) problems.add(entry.keyAt, `the key ${entry.key} must be a string`);
  const reader = new MapReader(root, '', problems);
  const warnings: Diagnostic[] = [];
  const places = new Map<string, YamlPosition>();
  const settings: StackSettings = {
    secretsProvider: reader.text('secretsprovider'),
    encryptedKey: reader.text('encryptedkey'),
    encryptionSalt: reader.text('encryptionsalt'),
    config: readConfig(reader, path, project, problems, warnings, places),
    environment: readEnvironment(reader),
  };
  warnings.push(...unknownKeys(reader, path));
  problems.check();
  return { path, project, text, settings, places, warnings };
}

function readConfig(
  reader: MapReader,
  path: string,
  project: string,
  problems: FileProblems,
  warnings: Diagnostic[],
  places: Map<string, YamlPosition>,
): ConfigByKey {
  const config = new Map<string, ReturnType<typeof topLevelTree>>();
  for (const entry of reader.submap('config')?.map.entries.values() ?? []) {
    if (!entry.keyIsText)
      problems.add(entry.keyAt, `the config key ${entry.key} must be a string`, 'Put it in quotes.');
    const { key, problem } = resolveConfigKey(entry.key, project);
    if (problem !== undefined)
      problems.add(entry.keyAt, `"config.${entry.key}" is not a config key: ${problem}`);
    if (config.has(key))
      problems.add(entry.keyAt, `the config key ${key} is given twice`, 'Keep one of the two entries.');
    const tree = treeOfNode(entry.value);
    if (tree === null) {
      const source = { file: path, line: entry.keyAt.line, column: entry.keyAt.column };
      warnings.push(
        warningDiagnostic(
          'CAIRN-CONFIG-INVALID',
          `config key ${key} has no value and is read as an empty string`,
          { source, hint: 'Write "" to confirm that, or remove the key.' },
        ),
      );
    }
    config.set(key, topLevelTree(tree));
    places.set(key, entry.keyAt);
  }
  return config;
}

/** Reads a list of names, or an inline definition of imports and values. */
function readEnvironment(reader: MapReader): PlainData | undefined {
  const node = reader.entry('environment')?.value;
  if (node === undefined) return undefined;
  if (node.kind === 'scalar') return reader.mismatch('environment', node, 'a list of names or a definition');
  const isEmpty = node.kind === 'list' ? node.items.length === 0 : node.entries.size === 0;
  return isEmpty ? undefined : plainData(node);
}

function unknownKeys(reader: MapReader, path: string): readonly Diagnostic[] {
  return reader.others().map((entry) => {
    const near = nearest(entry.key, KNOWN);
    return warningDiagnostic('CAIRN-CONFIG-INVALID', `unknown key "${entry.key}" in the stack file`, {
      source: { file: path, line: entry.keyAt.line, column: entry.keyAt.column },
      hint: near === undefined ? 'Config values belong under "config".' : `Did you mean "${near}"?`,
    });
  });
}
