import { isDefaultProviderName, providerTypePackage } from '@cairn/addresses';
import { CairnError, cairnError, errorDiagnostic, isCairnError, messageOf } from '@cairn/diagnostics';
import { containsUnknown, withoutProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { deferUnknownSettings, isMissingConfig } from '@cairn/wire';
import type { ConfigureRequest, Provider } from '@cairn/wire';
import { noteTakesNames } from './naming-support.js';
import { overriding } from './overriding.js';
import { withoutInternal } from './package-request.js';
import { answered } from './provider-answer.js';
import { isUnconfigured } from './unconfigured.js';

/** The settings an instance is given, and for which entry. */
export interface Settings extends Omit<ConfigureRequest, 'inputs'> {
  /** As stored: what only the engine needs is taken out here. */
  readonly inputs: PropertyMap;
}

/**
 * Configures an instance and gives the provider to use for its resources. Settings that are not known yet are kept from
 * the plugin, which then answers nothing itself; a provider that cannot preview is not asked to [PROV-12] [PROV-13].
 * Rejects with CAIRN-PROVIDER-CONFIG.
 */
export async function configured(
  provider: Provider,
  settings: Settings,
  preview: boolean,
): Promise<Provider> {
  const inputs = withoutInternal(settings.inputs);
  const instance = containsUnknown(withoutProperty(inputs, 'version'))
    ? deferUnknownSettings(provider)
    : provider;
  try {
    const { supportsPreview, supportsAutonaming } = answered(
      { entry: settings, call: 'configure', preview: true },
      await instance.configure({ ...settings, inputs }),
    );
    const ready = preview && !supportsPreview ? withoutPreviews(instance) : instance;
    if (supportsAutonaming) noteTakesNames(ready);
    return ready;
  } catch (error) {
    throw configurationError(settings, error);
  }
}

/** The provider, except that creates and updates of a preview are answered with the inputs. */
function withoutPreviews(provider: Provider): Provider {
  const silent = overriding(provider, {
    create: async (request) =>
      request.preview
        ? { id: '', outputs: request.inputs, refreshBeforeUpdate: false }
        : provider.create(request),
    update: async (request) =>
      request.preview ? { outputs: request.news, refreshBeforeUpdate: false } : provider.update(request),
  });
  withoutAnswers.add(silent);
  return silent;
}

/** Providers in whose place creates and updates of a preview are answered. */
const withoutAnswers = new WeakSet<Provider>();

/** Whether what a preview shows is the provider's own word: otherwise it has claimed nothing. */
export function answersPreviews(provider: Provider): boolean {
  return !withoutAnswers.has(provider) && !isUnconfigured(provider);
}

/** One diagnostic for every missing setting [PROV-16], or one with the provider's reason. */
function configurationError({ urn, type, name }: Settings, error: unknown): Error {
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
