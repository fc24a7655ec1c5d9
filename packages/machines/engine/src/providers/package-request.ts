import type { Urn } from '@cairn/addresses';
import {
  getProperty,
  isMap,
  isSecret,
  newMap,
  propertyMap,
  withProperty,
  withoutProperty,
} from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { PluginSpec } from '@cairn/wire';

/** Plugin that serves a package, if it was named. */
export interface PackageRequest {
  readonly package: string;
  /** Version of the package. Empty: the newest available. */
  readonly version: string;
  /** URL to download the plugin from. Empty if unspecified. */
  readonly downloadUrl: string;
  /** `os-arch` to hex SHA-256. */
  readonly checksums: Readonly<Record<string, string>>;
  /** Base plugin, and the value that turns it into the package. */
  readonly parameterization: PackageParameterization | undefined;
  /** Extension without which the plugin does not serve the package [PKG-3]. By default it needs none. */
  readonly extensionRef?: string | undefined;
}

/** Package made from another plugin. */
interface PackageParameterization {
  readonly pluginName: string;
  readonly pluginVersion: string;
  readonly value: Uint8Array;
}

/** Returns a request that specifies only the name of the package. */
export function anyPackage(name: string): PackageRequest {
  return { package: name, version: '', downloadUrl: '', checksums: {}, parameterization: undefined };
}

/** Key of a provider's inputs for the part that only the engine needs. No plugin ever sees it [PROV-6]. */
export const INTERNAL = '__internal';

/** Returns the inputs without the part that only the engine needs. */
export function withoutInternal(inputs: PropertyMap): PropertyMap {
  return withoutProperty(inputs, INTERNAL);
}

/**
 * Returns a provider's inputs together with the package they configure, as they are stored [PROV-6]. If anything was
 * specified, the key for the engine's own part is present, even if empty. Without that key the inputs belong to an old
 * state that has everything at the top.
 */
export function withPackageRequest(
  inputs: PropertyMap,
  request: PackageRequest,
  envVarMappings: Readonly<Record<string, string>>,
): PropertyMap {
  const versioned = request.version === '' ? inputs : withProperty(inputs, 'version', request.version);
  const internal = internalInputs(request, envVarMappings);
  const silent = versioned === inputs && Object.keys(internal).length === 0;
  return silent ? inputs : withProperty(versioned, INTERNAL, internal);
}

function internalInputs(
  request: PackageRequest,
  envVarMappings: Readonly<Record<string, string>>,
): PropertyMap {
  const { downloadUrl, checksums, parameterization } = request;
  const internal = newMap();
  if (downloadUrl !== '') internal.pluginDownloadURL = downloadUrl;
  if (Object.keys(checksums).length > 0) internal.pluginChecksums = propertyMap(checksums);
  if (parameterization !== undefined) {
    internal.name = parameterization.pluginName;
    internal.version = parameterization.pluginVersion;
    internal.parameterization = Buffer.from(parameterization.value).toString('base64');
  }
  if (Object.keys(envVarMappings).length > 0) internal.envVarMappings = propertyMap(envVarMappings);
  return internal;
}

/**
 * Returns the package that a provider's stored inputs ask for, with its mapped variables. Old states have everything at
 * the top [PROV-6].
 */
export function readPackage(
  name: string,
  inputs: PropertyMap,
): { readonly request: PackageRequest; readonly envVarMappings: Readonly<Record<string, string>> } {
  const own = getProperty(inputs, INTERNAL);
  const internal = isMap(own) ? own : inputs;
  const value = text(internal, 'parameterization');
  return {
    request: {
      package: name,
      version: text(inputs, 'version'),
      downloadUrl: text(internal, 'pluginDownloadURL'),
      checksums: texts(internal, 'pluginChecksums'),
      parameterization:
        value === ''
          ? undefined
          : {
              pluginName: text(internal, 'name') || name,
              pluginVersion: text(internal, 'version'),
              value: Buffer.from(value, 'base64'),
            },
    },
    envVarMappings: texts(internal, 'envVarMappings'),
  };
}

/** Returns the request for the plugin loader. */
export function pluginSpec(
  request: PackageRequest,
  envVarMappings: Readonly<Record<string, string>>,
  neededBy: Urn | undefined,
): PluginSpec {
  const { parameterization, version } = request;
  const spec = {
    package: request.package,
    downloadUrl: request.downloadUrl || undefined,
    checksums: request.checksums,
    envVarMappings,
    neededBy,
  };
  if (parameterization === undefined)
    return { ...spec, version: version || undefined, parameterization: undefined };
  const { pluginName: basePlugin, pluginVersion, value } = parameterization;
  return {
    ...spec,
    version: pluginVersion || undefined,
    parameterization: { name: request.package, version, value, basePlugin },
  };
}

/** Returns true if two specs ask for the same plugin in the same environment. */
export function sameSpec(a: PluginSpec, b: PluginSpec): boolean {
  return comparable(a) === comparable(b);
}

function comparable({
  neededBy: _,
  parameterization,
  checksums,
  envVarMappings,
  ...rest
}: PluginSpec): string {
  const parameters = parameterization && {
    ...parameterization,
    value: Buffer.from(parameterization.value).toString('base64'),
  };
  return JSON.stringify([
    rest,
    parameters,
    Object.entries(checksums).sort(),
    Object.entries(envVarMappings).sort(),
  ]);
}

function text(map: PropertyMap, key: string): string {
  const value = bare(getProperty(map, key));
  return typeof value === 'string' ? value : '';
}

function texts(map: PropertyMap, key: string): Readonly<Record<string, string>> {
  const value = bare(getProperty(map, key));
  if (!isMap(value)) return {};
  return Object.fromEntries(
    Object.keys(value).flatMap((name) => {
      const item = bare(value[name]);
      return typeof item === 'string' ? [[name, item]] : [];
    }),
  );
}

function bare(value: PropertyValue | undefined): PropertyValue | undefined {
  return isSecret(value) ? value.value : value;
}
