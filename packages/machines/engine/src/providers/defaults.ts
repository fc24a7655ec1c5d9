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
import { withPackage } from './package-request.js';
import type { PackageRequest } from './package-request.js';

/** Providers that the engine registers by itself, on first need [PROV-2]. */
export interface DefaultProviders {
  /**
   * Reference of the default provider for a request; at once when it is registered already, and one registration for
   * concurrent first needs. Throws or rejects with CAIRN-PROVIDER-REFERENCE when default providers of the package are
   * disabled, with {@link DefaultProviderRefused} when the engine refused (and reported) it. `askedAt`: where the
   * program declares what needs it.
   */
  reference(
    request: PackageRequest,
    neededBy: string,
    askedAt?: string,
  ): ProviderReference | Promise<ProviderReference>;
}

/** The engine refused to register a default provider; it has said why. */
export class DefaultProviderRefused extends Error {
  override readonly name = 'DefaultProviderRefused';
}

/** What default providers are made from. */
interface DefaultProvidersOptions {
  readonly identity: OperationIdentity;
  readonly config: OperationConfig;
  readonly post: PostRegistration;
  /** A provider that stays as it is in this operation and need not be registered. Absent: there are none. */
  readonly recorded?: (urn: Urn) => ProviderReference | undefined;
}

/**
 * Default providers of one operation. Throws CAIRN-CONFIG-INVALID when the setting that disables some cannot be read.
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

/** The provider resource that a request stands for: settings from the stack's configuration, and the package. */
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

/** Inputs of a provider with the settings that the stack's configuration has for its package. */
export function defaultProviderInputs(request: PackageRequest, config: OperationConfig): PropertyMap {
  return withPackage(packageSettings(request.package, config), request, {});
}

/** Packages whose resources bring their provider along in the program: they may read any part of the configuration. */
const DYNAMIC_PACKAGES: readonly string[] = ['pulumi-nodejs', 'pulumi-python'];

/**
 * The stack's configuration in the package's namespace; for dynamic providers all of it, under names with their
 * namespace. Secret values stay secret.
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

/** A provider that failed under continue-on-error still has a reference, so that what needs it is skipped by name. */
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
