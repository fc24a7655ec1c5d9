import { isCairnError, messageOf } from '@cairn/diagnostics';
import { StatusError, isProviderError } from '@cairn/wire';
import type {
  Mapper,
  MappingRequest,
  DerivedPackage,
  PackageResolver,
  PluginSpec,
  Provider,
  SchemaLoader,
  SchemaRequest,
} from '@cairn/wire';
import type { ProviderLoader } from '../ports.js';
import { createPackageResolver } from './resolve-package.js';

/** Services that answer questions of programs and plugins about packages [PKG-4]. */
export type Schemas = SchemaLoader & Mapper & PackageResolver;

/**
 * Creates a source of schemas and mappings from the plugins: each is started for the question and closed after it. The
 * same question is asked once. A package without a plugin has no mapping; its schema is refused with NOT_FOUND.
 */
export function createSchemas(plugins: ProviderLoader): Schemas {
  const schemas = new Map<string, Promise<string>>();
  const mappings = new Map<string, Promise<Uint8Array>>();
  return {
    ...createPackageResolver(plugins),
    getSchema: (request) => once(schemas, keyOf(request), () => schemaOf(request, plugins)),
    getMapping: (request) => once(mappings, keyOf(request), () => mappingOf(request, plugins)),
  };
}

const ECOSYSTEM = 'terraform';

/** Returns the message with its causes, because only the program receives it. */
function whyOf(error: unknown): string {
  if (!isCairnError(error)) return messageOf(error);
  const { diagnostics } = error;
  return diagnostics.flatMap(({ summary, causes = [] }) => [summary, ...causes]).join('\n');
}

async function schemaOf(request: SchemaRequest, plugins: ProviderLoader): Promise<string> {
  const { package: pkg, version, downloadUrl, parameterization } = request;
  const plugin = { package: pkg, version: version || undefined, downloadUrl: downloadUrl || undefined };
  const subpackage = parameterization && {
    subpackageName: parameterization.name,
    subpackageVersion: parameterization.version,
  };
  try {
    const spec = specOf(plugin, parameterization);
    return await asked(plugins, spec, (provider) => provider.getSchema({ version: 0, ...subpackage }));
  } catch (error) {
    throw new StatusError(
      isMissing(error) ? 'NOT_FOUND' : 'UNKNOWN',
      `no schema of ${pkg}: ${whyOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

async function mappingOf(request: MappingRequest, plugins: ProviderLoader): Promise<Uint8Array> {
  const { provider: name, pulumiProvider, parameterization } = request;
  const key = request.ecosystem || ECOSYSTEM;
  const plugin = { package: pulumiProvider || name, version: undefined, downloadUrl: undefined };
  try {
    const spec = specOf(plugin, parameterization);
    return await asked(plugins, spec, (provider) => mappingFrom(provider, key, name));
  } catch (error) {
    if (isMissing(error)) return new Uint8Array();
    throw new StatusError('UNKNOWN', `no mapping of ${name}: ${whyOf(error)}`, { cause: error });
  }
}

/**
 * Requests a mapping. A provider that lists its mappings is asked for that one; an older one is asked without a name
 * [PROV-14].
 */
async function mappingFrom(provider: Provider, key: string, name: string): Promise<Uint8Array> {
  const listed = (await provider.getMappings?.({ key })) ?? [];
  if (listed.length > 0 && !listed.includes(name)) return new Uint8Array();
  const mapping = await provider.getMapping?.({ key, provider: listed.length > 0 ? name : '' });
  return mapping === undefined ? new Uint8Array() : mapping.data;
}

async function asked<T>(
  plugins: ProviderLoader,
  spec: PluginSpec,
  question: (provider: Provider) => Promise<T>,
): Promise<T> {
  const provider = await plugins.load(spec);
  try {
    return await question(provider);
  } finally {
    await provider.close();
  }
}

function specOf(
  plugin: Pick<PluginSpec, 'package' | 'version' | 'downloadUrl'>,
  parameters: DerivedPackage | undefined,
): PluginSpec {
  const rest = { checksums: {}, envVarMappings: {}, neededBy: undefined, forQuestions: true };
  if (parameters === undefined) return { ...plugin, ...rest, parameterization: undefined };
  const parameterization = { ...parameters, basePlugin: plugin.package };
  return { ...plugin, package: parameters.name, ...rest, parameterization };
}

function isMissing(error: unknown): boolean {
  if (isProviderError(error)) return error.code === 'UNIMPLEMENTED';
  return isCairnError(error) && error.diagnostics.some(({ code }) => code === 'CAIRN-PLUGIN-NOT-FOUND');
}

async function once<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  let answer = known.get(key);
  if (answer === undefined) {
    answer = ask();
    known.set(key, answer);
    // A failed question may be asked again: a plugin can be installed meanwhile.
    answer.catch(() => known.delete(key));
  }
  return answer;
}

function keyOf(request: SchemaRequest | MappingRequest): string {
  const { parameterization, ...rest } = request;
  const value = parameterization && Buffer.from(parameterization.value).toString('base64');
  return JSON.stringify([Object.entries(rest).sort(), parameterization && { ...parameterization, value }]);
}
