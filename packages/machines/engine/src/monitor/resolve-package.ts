import { messageOf } from '@cairn/diagnostics';
import { StatusError } from '@cairn/wire';
import type { PackageQuestion, PackageResolver, Provider, ResolvedPackage } from '@cairn/wire';
import type { ProviderLoader } from '../ports.js';
import { hexChecksums } from './packages.js';

/**
 * Resolves the plugin of a package: starts the plugin, sends it the parameters, and requests its schema. Plugins are
 * found by name; a source that names a place (a path, a URL) is refused.
 */
export function createPackageResolver(plugins: ProviderLoader): PackageResolver {
  return {
    async resolvePackage(request) {
      const { source, version, downloadUrl, checksums } = request;
      if (!PLUGIN_NAME.test(source))
        throw refused(source, 'it is not the name of a plugin', 'INVALID_ARGUMENT');
      const provider = await plugins
        .load({
          package: source,
          version: version || undefined,
          downloadUrl: downloadUrl || undefined,
          checksums: hexChecksums(checksums),
          envVarMappings: {},
          neededBy: undefined,
          forQuestions: true,
          parameterization: undefined,
        })
        .catch((error: unknown) => {
          throw refused(source, messageOf(error), 'NOT_FOUND', error);
        });
      try {
        return await described(provider, request);
      } catch (error) {
        throw refused(source, messageOf(error), 'UNKNOWN', error);
      } finally {
        await provider.close();
      }
    },
  };
}

const PLUGIN_NAME = /^[\w-]+$/;

async function described(
  provider: Provider,
  { parameters, checksums }: PackageQuestion,
): Promise<ResolvedPackage> {
  const made =
    parameters.length === 0
      ? undefined
      : await provider.parameterize({ parameters: { kind: 'args', args: parameters } });
  const subpackage = made && { subpackageName: made.name, subpackageVersion: made.version };
  const text = await provider.getSchema({ version: 0, ...subpackage });
  const schema = JSON.parse(text) as PackageSchema;
  const { name = '', version = '', pluginDownloadURL: downloadUrl = '', parameterization } = schema;
  if (parameterization === undefined) {
    return { name, version, downloadUrl, checksums, parameterization: undefined };
  }
  const { baseProvider: base, parameter = '' } = parameterization;
  return {
    name: base?.name ?? '',
    version: base?.version ?? '',
    downloadUrl,
    checksums,
    parameterization: { name, version, value: Buffer.from(parameter, 'base64') },
  };
}

/** Fields of a package's schema that name its origin. */
interface PackageSchema {
  readonly name?: string;
  readonly version?: string;
  readonly pluginDownloadURL?: string;
  readonly parameterization?: {
    readonly baseProvider?: { readonly name?: string; readonly version?: string };
    /** Base64 text. */
    readonly parameter?: string;
  };
}

function refused(
  source: string,
  why: string,
  status: 'INVALID_ARGUMENT' | 'NOT_FOUND' | 'UNKNOWN',
  cause?: unknown,
): StatusError {
  return new StatusError(status, `cannot resolve package ${JSON.stringify(source)}: ${why}`, { cause });
}
