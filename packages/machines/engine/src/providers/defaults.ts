import { UNKNOWN_ID, makeProviderReference, makeUrn, providerType } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import { newMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { PostRegistration } from '../model/registration.js';
import type { Goal } from '../model/goal.js';
import { goalOf } from '../model/options.js';
import type { OperationConfig, OperationIdentity } from '../model/request.js';
import { defaultProviderName } from './default-names.js';
import { deniedPackages } from './denied-packages.js';
import { withPackageRequest } from './package-request.js';
import type { PackageRequest } from './package-request.js';

/** Providers that the engine registers itself when they are first needed [PROV-2]. */
export interface DefaultProviders {
  /**
   * Returns the reference of the default provider for a request. The answer is synchronous if the provider is already
   * registered. Concurrent first requests share one registration. Throws or rejects with CAIRN-PROVIDER-REFERENCE when
   * default providers of the package are disabled. Rejects with {@link DefaultProviderRefused} when the engine refused
   * (and reported) it. `askedAt` is the place in the program that declares the resource in need of it.
   */
  reference(
    request: PackageRequest,
    neededBy: string,
    askedAt?: string,
  ): ProviderReference | Promise<ProviderReference>;
}

/** The engine refused to register a default provider and has already reported why. */
export class DefaultProviderRefused extends Error {
  override readonly name = 'DefaultProviderRefused';
}

/** Dependencies of default providers. */
interface DefaultProvidersOptions {
  readonly identity: OperationIdentity;
  readonly config: OperationConfig;
  readonly post: PostRegistration;
  /**
   * Returns a provider that stays unchanged in this operation and need not be registered. By default there are none.
   */
  readonly recorded?: (urn: Urn) => ProviderReference | undefined;
}

/**
 * Creates the default providers of one operation. Throws CAIRN-CONFIG-INVALID when the setting that disables some is
 * unreadable.
 */
export function createDefaultProviders({
  identity,
  config,
  post,
  recorded = () => undefined,
}: DefaultProvidersOptions): DefaultProviders {
  // One provider per package, version and download URL [PROV-2].
  const known = new Map<string, ProviderReference | Promise<ProviderReference>>();
  const isDenied = deniedPackages(config.values);
  return {
    reference(request, neededBy, askedAt) {
      const key = `${request.package}\n${request.version}\n${request.downloadUrl}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      if (isDenied(request.package)) throw denied(request.package, neededBy);
      const goal = defaultProviderGoal(request, identity, config);
      const existing = recorded(goal.urn);
      if (existing !== undefined) return existing;
      const registering = register(goal, askedAt, post);
      known.set(key, registering);
      registering.then(
        (reference) => known.set(key, reference),
        () => undefined,
      );
      return registering;
    },
  };
}

/** Returns the provider resource for a request: settings from the stack's configuration, and the package. */
export function defaultProviderGoal(
  request: PackageRequest,
  { stack, project }: OperationIdentity,
  config: OperationConfig,
): Goal {
  const type = providerType(request.package);
  const name = defaultProviderName(request);
  const inputs = defaultProviderInputs(request, config);
  return goalOf({ urn: makeUrn({ stack, project, type, name }), type, name, custom: true, inputs });
}

/** Returns the inputs of a provider with the settings that the stack's configuration has for its package. */
export function defaultProviderInputs(request: PackageRequest, config: OperationConfig): PropertyMap {
  return withPackageRequest(packageSettings(request.package, config), request, {});
}

/** Packages whose resources define their provider in the program. They may read any part of the configuration. */
const DYNAMIC_PACKAGES: readonly string[] = ['pulumi-nodejs', 'pulumi-python'];

/**
 * Returns the stack's configuration in the package's namespace. Dynamic providers get all of it, with the namespace in
 * each name. Secret values stay secret.
 */
function packageSettings(pkg: string, { values, secretKeys }: OperationConfig): PropertyMap {
  const prefix = DYNAMIC_PACKAGES.includes(pkg) ? '' : `${pkg}:`;
  const settings = newMap();
  for (const key of Object.keys(values)) {
    if (!key.startsWith(prefix)) continue;
    const value = values[key] as string;
    settings[key.slice(prefix.length)] = secretKeys.includes(key) ? secret(value) : value;
  }
  return settings;
}

/**
 * Registers a provider. One that failed under continue-on-error still has a reference, so that its dependents are
 * skipped by name.
 */
function register(
  goal: Goal,
  askedAt: string | undefined,
  post: PostRegistration,
): Promise<ProviderReference> {
  return new Promise((resolve, reject) => {
    post({
      t: 'register',
      goal,
      askedAt,
      reply: {
        resolve: ({ urn, id }) => resolve(makeProviderReference(urn, id || UNKNOWN_ID)),
        refuse: (cause) => reject(new DefaultProviderRefused(cause.message, { cause })),
      },
    });
  });
}

function denied(pkg: string, neededBy: string): Error {
  return cairnError(
    'CAIRN-PROVIDER-REFERENCE',
    `${neededBy} needs a provider: default providers of the package ${pkg} are disabled`,
    { hint: `Pass a provider explicitly, or remove ${pkg} from pulumi:disable-default-providers.` },
  );
}
