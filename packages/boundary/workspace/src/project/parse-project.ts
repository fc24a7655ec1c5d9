import { warningDiagnostic } from '@cairn/diagnostics';
import { FileProblems } from '../yaml/file-problems.js';
import { parseYaml } from '../yaml/parse-yaml.js';
import { MapReader, plainData } from '../yaml/shape.js';
import type { PlainData } from '../yaml/shape.js';
import type { SecretsSettings } from '../stack-file/secrets-settings.js';
import { readConfigDeclarations } from './config-declarations.js';
import { readOperationSettings } from './operation-settings.js';
import type {
  ProjectPackage,
  PluginOption,
  Project,
  ProjectLocation,
  ProjectPlugins,
  ProjectRuntime,
} from './project.js';

const START = { line: 1, column: 1 };

/**
 * Parses a project file [CFG-2]. Fails with `CAIRN-PROJECT-INVALID`, one diagnostic for each problem, with line and
 * column.
 */
export function parseProject(text: string, location: ProjectLocation): Project {
  const problems = new FileProblems(location.file, 'project file', 'CAIRN-PROJECT-INVALID');
  const { root } = parseYaml(text, problems);
  if (root === undefined) return problems.fail(START, 'it is empty', 'Write at least name: and runtime:.');
  if (root.kind !== 'map') return problems.fail(root.at, 'it must be a map of keys');
  for (const entry of root.entries.values())
    if (!entry.keyIsText) problems.add(entry.keyAt, `the key ${entry.key} must be a string`);
  const project = readProject(new MapReader(root, '', problems), location, problems);
  problems.check();
  return project;
}

function readProject(reader: MapReader, location: ProjectLocation, problems: FileProblems): Project {
  const name = reader.requiredText('name');
  const { config, stackConfigDir } = readConfig(reader, name, problems);
  const known: Omit<Project, 'extra' | 'warnings'> = {
    location,
    name,
    runtime: readRuntime(reader),
    main: reader.text('main'),
    description: reader.text('description'),
    author: reader.text('author'),
    website: reader.text('website'),
    license: reader.text('license'),
    config,
    secrets: readSecrets(reader),
    stackConfigDir,
    backendUrl: readBackendUrl(reader),
    refresh: readRefresh(reader),
    operations: readOperationSettings(reader),
    checkpoint: readCheckpointPace(reader),
    stateEncryption: readStateEncryption(reader),
    packages: readPackages(reader),
    plugins: readPlugins(reader),
    requiredPulumiVersion: reader.text('requiredPulumiVersion'),
  };
  const others = reader.others();
  const warnings = others.flatMap(({ key, keyAt }) => {
    const near = reader.nearest(key);
    if (near === undefined) return [];
    const source = { file: location.file, line: keyAt.line, column: keyAt.column };
    const summary = `unknown key "${key}" in the project file`;
    return [warningDiagnostic('CAIRN-PROJECT-INVALID', summary, { source, hint: `Did you mean "${near}"?` })];
  });
  return { ...known, extra: new Map(others.map(({ key, value }) => [key, plainData(value)])), warnings };
}

function readRuntime(reader: MapReader): ProjectRuntime | undefined {
  const node = reader.entry('runtime')?.value;
  if (node === undefined) return undefined;
  if (node.kind === 'scalar') {
    const name = reader.text('runtime');
    return name === undefined ? undefined : { name, options: {} };
  }
  const full = reader.asMap(node, 'runtime');
  if (full === undefined) return undefined;
  const name = full.requiredText('name');
  const options = full.submap('options');
  full.refuseOthers();
  return {
    name,
    options: options === undefined ? {} : (plainData(options.map) as { readonly [key: string]: PlainData }),
  };
}

/** Reads `config`: a map of declarations, or a string, the old spelling of `stackConfigDir`. */
function readConfig(
  reader: MapReader,
  name: string,
  problems: FileProblems,
): Pick<Project, 'config' | 'stackConfigDir'> {
  const directory = reader.text('stackConfigDir');
  const node = reader.entry('config')?.value;
  if (node?.kind === 'scalar' && typeof node.value === 'string') {
    if (directory !== undefined)
      reader.problem(
        'config',
        'as a directory and "stackConfigDir" exclude each other',
        'Keep "stackConfigDir".',
      );
    return { config: new Map(), stackConfigDir: node.value };
  }
  const declarations = reader.submap('config');
  return {
    config: declarations === undefined ? new Map() : readConfigDeclarations(declarations, name, problems),
    stackConfigDir: directory,
  };
}

/** Reads the three keys that a stack file has, too. */
function readSecrets(reader: MapReader): SecretsSettings | undefined {
  const secrets = reader.submap('secrets');
  if (secrets === undefined) return undefined;
  const settings = {
    secretsProvider: secrets.text('secretsprovider'),
    encryptedKey: secrets.text('encryptedkey'),
    encryptionSalt: secrets.text('encryptionsalt'),
  };
  secrets.refuseOthers();
  return settings;
}

function readTexts(reader: MapReader, key: string): ReadonlyMap<string, string> {
  const map = reader.submap(key);
  const texts = new Map<string, string>();
  for (const name of map?.map.entries.keys() ?? []) {
    const text = map?.text(name);
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
}

function readBackendUrl(reader: MapReader): string | undefined {
  const backend = reader.submap('backend');
  const url = backend?.text('url');
  backend?.refuseOthers();
  return url;
}

function readRefresh(reader: MapReader): 'always' | undefined {
  const options = reader.submap('options');
  const refresh = options?.text('refresh');
  options?.refuseOthers();
  if (refresh === undefined || refresh === 'always') return refresh;
  return options?.problem('refresh', `cannot be "${refresh}"`, 'The only value is "always".');
}

function readPackages(reader: MapReader): ReadonlyMap<string, ProjectPackage> {
  const map = reader.submap('packages');
  const packages = new Map<string, ProjectPackage>();
  for (const entry of map?.map.entries.values() ?? []) {
    const source = map === undefined ? undefined : readPackage(map, entry.key);
    if (source !== undefined) packages.set(entry.key, source);
  }
  return packages;
}

/** Reads a package. Its short form is split at the first `@`. */
function readPackage(packages: MapReader, key: string): ProjectPackage | undefined {
  const node = packages.entry(key)?.value;
  const none = {
    parameters: [],
    checksums: new Map<string, string>(),
    pluginDownloadUrl: undefined,
    extensions: [],
  };
  if (node?.kind === 'scalar' && typeof node.value === 'string') {
    const at = node.value.indexOf('@');
    const [source, version] =
      at < 0 ? [node.value, undefined] : [node.value.slice(0, at), node.value.slice(at + 1)];
    return { text: node.value, source, version, ...none };
  }
  const full = node === undefined ? packages.problem(key, 'is empty') : packages.asMap(node, key);
  if (full === undefined) return undefined;
  const read: ProjectPackage = {
    text: undefined,
    source: full.requiredText('source'),
    version: full.text('version'),
    parameters: full.texts('parameters') ?? [],
    checksums: readTexts(full, 'checksums'),
    pluginDownloadUrl: full.text('pluginDownloadURL'),
    extensions: (full.list('extensions') ?? []).map(plainData),
  };
  full.refuseOthers();
  return read;
}

function readPlugins(reader: MapReader): ProjectPlugins {
  const plugins = reader.submap('plugins');
  const read: ProjectPlugins = {
    providers: readPluginList(plugins, 'providers'),
    languages: readPluginList(plugins, 'languages'),
    analyzers: readPluginList(plugins, 'analyzers'),
  };
  plugins?.refuseOthers();
  return read;
}

function readPluginList(plugins: MapReader | undefined, key: string): readonly PluginOption[] {
  return (plugins?.list(key) ?? []).flatMap((node, index) => {
    const option = plugins?.asMap(node, `${key}[${index}]`);
    if (option === undefined) return [];
    const read = {
      name: option.requiredText('name'),
      path: option.requiredText('path'),
      version: option.text('version'),
    };
    option.refuseOthers();
    return [read];
  });
}

const PACES = ['paced', 'each-step', 'end'] as const;

/**
 * Reads `checkpoint: paced | each-step | end`: the times at which a running operation writes the checkpoint. Returns
 * undefined if the project does not set it.
 */
function readCheckpointPace(reader: MapReader): (typeof PACES)[number] | undefined {
  const node = reader.entry('checkpoint')?.value;
  if (node === undefined) return undefined;
  const word = node.kind === 'scalar' ? String(plainData(node)) : '';
  return (
    PACES.find((pace) => pace === word) ??
    reader.problem(
      'checkpoint',
      `is not one of ${PACES.join(', ')}`,
      'Leave it out to write the checkpoint from time to time.',
    )
  );
}

/**
 * Reads `encryption: { state: on | off }`. Returns undefined if the project does not set it; states then stay as they
 * are stored.
 */
function readStateEncryption(reader: MapReader): 'on' | 'off' | undefined {
  const encryption = reader.submap('encryption');
  const node = encryption?.entry('state')?.value;
  encryption?.refuseOthers();
  if (encryption === undefined || node === undefined) return undefined;
  const word = node.kind === 'scalar' ? String(plainData(node)).toLowerCase() : '';
  if (word === 'on' || word === 'true') return 'on';
  if (word === 'off' || word === 'false') return 'off';
  return encryption.problem(
    'state',
    'is not on or off',
    'Write on to seal states as a whole, or off to store them plain.',
  );
}
