import { resolve } from 'node:path';
import { findProvider } from '../discovery/find-provider.js';
import type { Fetch } from '../discovery/registry.js';
import type { FoundProvider } from '../discovery/find-provider.js';
import { TerraformClient } from '../lifecycle/index.js';
import { noMapping, providerModel, readMapping } from '../model/index.js';
import type { ProviderModel } from '../model/index.js';
import { startProvider } from '../process/start-provider.js';
import { quietSdks, wantedLevel } from '../process/log-line.js';
import type { ProviderLog } from '../process/log-line.js';
import type { RunningProvider } from '../process/start.js';
import { schemaCacheFor } from '../schema-cache/index.js';
import type { SchemaCache } from '../schema-cache/index.js';
import type { Messages } from './messages.js';
import type { PackageParameter, PackageQuery } from './package-parameter.js';

/** Environment in which a provider is started. */
export interface ProviderEnvironment {
  readonly cwd: string;
  /** Base of relative paths of providers. Defaults to `cwd`. */
  readonly project?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs a provider in another way than as a process found on this machine. */
  readonly launch?: ((parameter: PackageParameter) => Promise<LaunchedProvider>) | undefined;
  /** Requests providers from registries. Defaults to the network. */
  readonly fetch?: Fetch | undefined;
}

/** A running provider. */
interface LaunchedProvider {
  /** For messages. */
  readonly name: string;
  readonly running: RunningProvider;
  /** Cache of its schema between processes. */
  readonly schemaCache?: SchemaCache | undefined;
}

/** A provider with one running process, as a package. */
export interface ConnectedProvider {
  readonly client: TerraformClient;
  readonly model: ProviderModel;
  readonly running: RunningProvider;
  /** Identity of its executable. Undefined if a change of it could not be noticed. */
  readonly identity: string | undefined;
}

/** Version of a package whose provider has none, because it was given by its path. */
const NO_VERSION = '0.0.0';

/** Resolves a package request on this machine: the full source, and the version that was found [TFB-1]. */
export async function resolveWish(
  { download, ...wish }: PackageQuery,
  { fetch = globalThis.fetch, ...where }: ProviderEnvironment,
): Promise<PackageParameter> {
  const found = await find(wish, { ...where, fetch: download === true ? fetch : undefined });
  return {
    ...wish,
    source: wish.path === undefined ? (found.source ?? wish.source) : undefined,
    version: found.version ?? wish.version,
    name: wish.name ?? found.type,
  };
}

/** Returns the version of the package that a parameter creates. */
export const packageVersion = ({ version }: PackageParameter): string => version ?? NO_VERSION;

function find(
  { path, source, version }: PackageQuery,
  { cwd, project = cwd, env, fetch }: ProviderEnvironment,
): Promise<FoundProvider> {
  if (path !== undefined) return findProvider({ path: resolve(project, path), version, cwd, env });
  return findProvider({ source: source ?? '', version, cwd, env, fetch });
}

/** Starts the provider of a parameter and reads its schema. No process remains if that fails. */
export async function connectProvider(
  parameter: PackageParameter,
  where: ProviderEnvironment,
  messages: Messages,
): Promise<ConnectedProvider> {
  const { name, running, schemaCache } = await start(parameter, where, (type, log) => {
    messages.line(type, log);
  });
  try {
    const { protocolVersion, caller } = running;
    const client = await TerraformClient.connect({ name, protocolVersion, caller, schemaCache });
    return { client, running, model: modelOf(parameter, client), identity: schemaCache?.identity };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function start(
  parameter: PackageParameter,
  where: ProviderEnvironment,
  onLine: (type: string, log: ProviderLog) => void,
): Promise<LaunchedProvider> {
  const { cwd, env, launch } = where;
  if (launch !== undefined) return launch(parameter);
  const found = await find(parameter, { ...where, fetch: undefined });
  const { name, type } = found;
  const onLog = (log: ProviderLog) => onLine(type, log);
  const logFrom = wantedLevel(env);
  // The executable is identified before it is started, because it may be rebuilt meanwhile.
  const schemaCache = await schemaCacheFor(found, env);
  const running =
    found.attached === undefined
      ? await startProvider({ name, executable: found.executable, cwd, env: quietSdks(env), onLog, logFrom })
      : await startProvider({ name, attached: found.attached, onLog });
  return { name, running, schemaCache };
}

function modelOf(parameter: PackageParameter, client: TerraformClient): ProviderModel {
  const { name, include, exclude, mapping } = parameter;
  return providerModel(client.schema, {
    name,
    version: packageVersion(parameter),
    mapping: mapping === undefined ? noMapping : readMapping(mapping, 'the mapping of the package'),
    include,
    exclude,
  });
}
