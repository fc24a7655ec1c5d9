import { messageOf } from '@cairn/diagnostics';
import type { PropertyMap } from '@cairn/values';
import { configurationOf, toTerraform } from '../values/index.js';
import { diagnosticText } from '../lifecycle/index.js';
import type { TerraformClient } from '../lifecycle/index.js';
import type { ProviderModel } from '../model/index.js';
import { connectProvider, packageVersion, resolveWish } from '../provider/connected-provider.js';
import type { ProviderEnvironment } from '../provider/connected-provider.js';
import { Messages } from '../provider/messages.js';
import { parameterBytes } from '../provider/package-parameter.js';
import type { PackageParameter } from '../provider/package-parameter.js';
import { BASE_PLUGIN, BASE_VERSION } from '../provider/terraform-bridge.js';
import type { Adopting } from './adopt-object.js';

/** Query for the provider that adopts objects. */
interface AdoptingQuery extends ProviderEnvironment {
  /** Full source. */
  readonly source: string;
  /** Version. Defaults to the locked one, else the newest. */
  readonly version?: string | undefined;
}

/** A provider that was found, with its package. */
export interface AdoptingPackage {
  readonly name: string;
  readonly version: string;
  /** The base plugin of the package, and the parameter that creates it. */
  readonly base: { readonly name: string; readonly version: string; readonly value: Uint8Array };
  readonly parameter: PackageParameter;
}

/** A running provider, for the adoption of objects. */
export interface AdoptingProvider extends Adopting {
  readonly model: ProviderModel;
  /** Reason why it could not be configured. Undefined if it is configured. */
  readonly unconfigured: string | undefined;
}

/** Finds a provider. Fails as `findProvider` does. */
export async function adoptingPackage({
  source,
  version,
  ...where
}: AdoptingQuery): Promise<AdoptingPackage> {
  const parameter = await resolveWish({ source, version }, where);
  const base = { name: BASE_PLUGIN, version: BASE_VERSION, value: parameterBytes(parameter) };
  return { name: parameter.name, version: packageVersion(parameter), base, parameter };
}

/**
 * Starts a provider, configures it if its settings are sufficient, and ends it after the work. `settings` uses the
 * names of programs.
 */
export async function withAdopting<T>(
  { parameter }: AdoptingPackage,
  settings: PropertyMap,
  where: ProviderEnvironment,
  questions: (provider: AdoptingProvider) => Promise<T>,
): Promise<T> {
  const { client, model, running } = await connectProvider(parameter, where, new Messages());
  try {
    const unconfigured = await configure(client, model, settings);
    return await questions({ client, model, unconfigured, isConfigured: unconfigured === undefined });
  } finally {
    await running.stop();
  }
}

/** Configures the provider. Returns the reason if it rejects its settings. */
async function configure(
  client: TerraformClient,
  { config: { shape } }: ProviderModel,
  settings: PropertyMap,
): Promise<string | undefined> {
  try {
    const { value } = toTerraform(shape, configurationOf(shape, settings));
    const said = await client.validateProvider(value);
    const errors = said.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) return errors.map(diagnosticText).join('; ');
    await client.configure(value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
