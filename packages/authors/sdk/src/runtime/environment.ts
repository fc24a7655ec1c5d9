import { RunError } from '../resource/resource-error.js';
import type { DeploymentSettings } from './deployment.js';

/** Addresses of the program's peers, the settings of its run, and its module. */
export interface ProgramEnvironment {
  readonly monitorAddress: string;
  readonly engineAddress: string;
  readonly settings: DeploymentSettings;
  /** Path of the entry file or of the program's directory. */
  readonly program: string;
}

/** Names of the variables, Cairn's first. The others are those of the Node host. */
// [PRG-3]
const NAMES = {
  monitor: ['CAIRN_MONITOR', 'PULUMI_NODEJS_MONITOR', 'PULUMI_MONITOR'],
  engine: ['CAIRN_ENGINE', 'PULUMI_NODEJS_ENGINE', 'PULUMI_ENGINE'],
  project: ['CAIRN_PROJECT', 'PULUMI_NODEJS_PROJECT', 'PULUMI_PROJECT'],
  stack: ['CAIRN_STACK', 'PULUMI_NODEJS_STACK', 'PULUMI_STACK'],
  organization: ['CAIRN_ORGANIZATION', 'PULUMI_NODEJS_ORGANIZATION', 'PULUMI_ORGANIZATION'],
  rootDirectory: ['CAIRN_ROOT_DIRECTORY', 'PULUMI_ROOT_DIRECTORY'],
  dryRun: ['CAIRN_DRY_RUN', 'PULUMI_NODEJS_DRY_RUN', 'PULUMI_DRY_RUN'],
  parallel: ['CAIRN_PARALLEL', 'PULUMI_NODEJS_PARALLEL', 'PULUMI_PARALLEL'],
  config: ['CAIRN_CONFIG', 'PULUMI_CONFIG'],
  configSecretKeys: ['CAIRN_CONFIG_SECRET_KEYS', 'PULUMI_CONFIG_SECRET_KEYS'],
  program: ['CAIRN_PROGRAM'],
} as const;

type Name = keyof typeof NAMES;
type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables with which Cairn starts programs. Throws {@link RunError} if one is missing or cannot be read.
 */
export function readEnvironment(env: Env): ProgramEnvironment {
  return {
    monitorAddress: required(env, 'monitor'),
    engineAddress: required(env, 'engine'),
    program: required(env, 'program'),
    settings: {
      project: required(env, 'project'),
      stack: required(env, 'stack'),
      organization: optional(env, 'organization') ?? 'organization',
      rootDirectory: optional(env, 'rootDirectory') ?? process.cwd(),
      dryRun: optional(env, 'dryRun') === 'true',
      parallel: Number(optional(env, 'parallel') ?? 0),
      config: configKeys(json(env, 'config', {}, isTextRecord)),
      configSecretKeys: json(env, 'configSecretKeys', [], isTextList),
    },
  };
}

function optional(env: Env, name: Name): string | undefined {
  for (const variable of NAMES[name]) {
    const text = env[variable];
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}

function required(env: Env, name: Name): string {
  const text = optional(env, name);
  if (text === undefined) {
    throw new RunError(
      `${NAMES[name][0]} is not set: this module is started by Cairn; use "cairn up" or "cairn preview"`,
    );
  }
  return text;
}

function json<T>(env: Env, name: Name, fallback: T, check: (value: unknown) => value is T): T {
  const text = optional(env, name);
  if (text === undefined) return fallback;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Reported below without the text, which may contain secrets.
  }
  if (!check(value)) throw new RunError(`${NAMES[name][0]} does not contain the expected JSON`);
  return value;
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((item) => typeof item === 'string')
  );
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Converts keys, which may also have the older form `namespace:config:name`. */
function configKeys(config: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace(/^([^:]*):config:/, '$1:'), value]),
  );
}
