import { isDefaultProviderName, providerTypePackage } from '@cairn/addresses';
import { CairnError, cairnError, errorDiagnostic, isCairnError, messageOf } from '@cairn/diagnostics';
import { containsUnknown, withoutProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { deferUnknownSettings, isMissingConfig } from '@cairn/wire';
import type { ConfigureRequest, Provider } from '@cairn/wire';
import { withoutInternal } from './package-request.js';
import { answered } from './provider-answer.js';
import { readyProvider } from './ready-provider.js';
import type { ReadyProvider } from './ready-provider.js';

/** Settings of an instance, and the entry that they belong to. */
export interface ProviderSettings extends Omit<ConfigureRequest, 'inputs'> {
  /** Inputs as stored. The part that only the engine needs is removed here. */
  readonly inputs: PropertyMap;
}

/**
 * Configures an instance and returns the provider to use for its resources. Settings that are not known yet are not
 * sent to the plugin, which then answers nothing itself. A provider without preview support receives no preview
 * requests [PROV-12] [PROV-13]. Rejects with CAIRN-PROVIDER-CONFIG.
 */
export async function configured(
  provider: Provider,
  settings: ProviderSettings,
  preview: boolean,
): Promise<ReadyProvider> {
  const inputs = withoutInternal(settings.inputs);
  const unconfigured = containsUnknown(withoutProperty(inputs, 'version'));
  const instance = unconfigured ? deferUnknownSettings(provider) : provider;
  try {
    const capabilities = answered(
      { entry: settings, call: 'configure', preview: true },
      await instance.configure({ ...settings, inputs }),
    );
    return readyProvider(instance, { capabilities, unconfigured, settings: settings.inputs, preview });
  } catch (error) {
    throw configurationError(settings, error);
  }
}

/** Makes one diagnostic for every missing setting [PROV-16], or one with the provider's reason. */
function configurationError({ urn, type, name }: ProviderSettings, error: unknown): Error {
  if (isCairnError(error)) return error;
  const pkg = providerTypePackage(type) ?? type;
  if (!isMissingConfig(error)) {
    const summary = `cannot configure the provider ${pkg}`;
    return cairnError('CAIRN-PROVIDER-CONFIG', summary, { urn, causes: [messageOf(error)] }, error);
  }
  const diagnostics = error.missing.map((key) =>
    errorDiagnostic(
      'CAIRN-PROVIDER-CONFIG',
      `missing required configuration key "${key.name}": ${key.description}`,
      { urn, hint: missingHint(pkg, name, key.name) },
    ),
  );
  return new CairnError(diagnostics, { cause: error });
}

function missingHint(pkg: string, name: string, key: string): string {
  const [namespace, setting] = key.includes(':') ? key.split(':', 2) : [pkg, key];
  return isDefaultProviderName(name)
    ? `Set it: cairn config set ${namespace}:${setting} <value>`
    : `Pass ${setting} to the provider resource "${name}".`;
}
