import { fileURLToPath, pathToFileURL } from 'node:url';
import { providerType } from '@cairn/addresses';
import { secret } from '../output/combine.js';
import { deployment } from '../runtime/deployment.js';
import type { Deployment } from '../runtime/deployment.js';
import type { AnyProvider } from '../resource/options.js';
import { Resource } from '../resource/resource.js';
import { ResourceError } from '../resource/resource-error.js';
import { positionText, sourcePosition } from '../resource/source-position.js';
import { rootStackResource } from '../resource/identity.js';
import { DYNAMIC_PACKAGE } from './package-name.js';
import { definitionOf, isDynamicProvider } from './provider.js';
import type { DynamicProvider } from './provider.js';

/** A provider instance, declared at the place of the dynamic provider. */
class StoredProvider extends Resource {
  constructor(
    name: string,
    readonly of: DynamicProvider,
    inputs: object,
  ) {
    const options = { parent: rootStackResource, hideDiffs: ['bundle'] };
    super(
      'custom',
      providerType(DYNAMIC_PACKAGE),
      name,
      inputs,
      options,
      sourcePosition(definitionOf(of).site),
    );
  }
}

/** Provider instances of a deployment, by the name of their type. */
const stored = new WeakMap<Deployment, Map<string, StoredProvider>>();

/**
 * Returns the provider instance in the stack that represents a dynamic provider. It is declared with the first resource
 * that needs it. Its inputs are a bundle of the module and the name of the export. Throws {@link ResourceError} for a
 * provider that cannot be stored.
 */
export function storedProvider(type: string, provider: DynamicProvider): AnyProvider {
  const current = deployment();
  const instances = stored.get(current) ?? new Map<string, StoredProvider>();
  stored.set(current, instances);
  const found = instances.get(type) ?? declare(current, type, provider);
  instances.set(type, found);
  if (found.of !== provider)
    throw refusal(
      type,
      provider,
      `another one exists for that type, at ${placeOf(found.of) ?? 'an unknown place'}`,
    );
  return found as unknown as AnyProvider;
}

function declare(current: Deployment, type: string, provider: DynamicProvider): StoredProvider {
  const { definition } = definitionOf(provider);
  const bundled = bundle(current, type, provider);
  return new StoredProvider(type, provider, {
    bundle: bundled.then(({ code }) => code),
    export: bundled.then(({ name }) => name),
    config: configOf(current, definition.config ?? []),
  });
}

/** Returns values of the stack's configuration by the requested key. */
function configOf({ settings }: Deployment, keys: readonly string[]): object {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const full = key.includes(':') ? key : `${settings.project}:${key}`;
      const text = settings.config[full];
      if (text === undefined) return [];
      return [[key, settings.configSecretKeys.includes(full) ? secret(text) : text]];
    }),
  );
}

async function bundle(
  { modules }: Deployment,
  type: string,
  provider: DynamicProvider,
): Promise<{ readonly name: string; readonly code: string }> {
  const { site } = definitionOf(provider);
  if (site === undefined) throw refusal(type, provider, 'it is not defined in a file');
  if (modules === undefined) return { name: '', code: '' };
  const file = site.file.startsWith('file:') ? fileURLToPath(site.file) : site.file;
  if (file === modules.entry)
    throw refusal(
      type,
      provider,
      'it is in the entry module of the program, which cannot be loaded without running the program: move it to its own module',
    );
  const name = exportOf((await import(pathToFileURL(file).href)) as object, provider);
  if (name === undefined)
    throw refusal(
      type,
      provider,
      'no export of its module is this provider, so what it captures would be lost: export it, and pass values as inputs or by `config`',
    );
  try {
    return { name, code: await modules.bundle(file, name) };
  } catch (error) {
    throw refusal(type, provider, `its module cannot be bundled: ${(error as Error).message}`);
  }
}

/**
 * Returns the name under which a module exports a value. Members of the default export count, as in CommonJS modules.
 */
function exportOf(module: object, value: unknown): string | undefined {
  const inner = (module as { default?: unknown }).default;
  const places =
    typeof inner === 'object' && inner !== null && !isDynamicProvider(inner) ? [module, inner] : [module];
  return places.flatMap((place) => Object.entries(place)).find(([, exported]) => exported === value)?.[0];
}

const placeOf = (provider: DynamicProvider): string | undefined =>
  positionText(sourcePosition(definitionOf(provider).site));

function refusal(type: string, provider: DynamicProvider, why: string): ResourceError {
  return new ResourceError(`cannot store the provider of ${type}: ${why}`, type, placeOf(provider));
}
