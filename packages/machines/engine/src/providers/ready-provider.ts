import { override } from '@cairn/wire';
import type { PropertyMap } from '@cairn/values';
import type { Capabilities, Provider, ProviderExtras, ProviderOverrides } from '@cairn/wire';

/** Provider as resources use it: configured, or without settings in a preview that does not know them. */
export interface ReadyProvider extends Provider {
  /** Capabilities that it reported when it was configured [PROV-12]. */
  readonly capabilities: Capabilities;
  /** True if its settings are not known in this preview [PROV-13]. */
  readonly unconfigured: boolean;
  /** True if previews show the provider's own answers. Otherwise the provider has claimed nothing. */
  readonly answersPreviews: boolean;
  /** Settings as stored in its entry. */
  readonly settings: PropertyMap;
  /** Extensions of packages that it has received, by reference [PKG-3]. */
  readonly extensions: Map<string, Promise<void>>;
}

/** Facts about a provider after it was configured. */
interface Configured extends Pick<ReadyProvider, 'capabilities' | 'unconfigured' | 'settings'> {
  readonly preview: boolean;
}

/**
 * Makes the provider of resources. In a preview, a provider without preview support receives no creates and updates.
 */
export function readyProvider(
  provider: Provider,
  { capabilities, unconfigured, settings, preview }: Configured,
): ReadyProvider {
  const silent = preview && !capabilities.supportsPreview;
  let extras: Promise<ProviderExtras | undefined> | undefined;
  const ready = override(provider, {
    ...(silent && INPUTS_AS_OUTPUTS),
    // Asked once. A provider that fails to answer promises nothing. Its fault shows at the next call that matters.
    extras: (request, next) => (extras ??= next(request).catch(() => undefined)),
  });
  const answersPreviews = !silent && !unconfigured;
  return { ...ready, capabilities, unconfigured, answersPreviews, settings, extensions: new Map() };
}

const INPUTS_AS_OUTPUTS: ProviderOverrides = {
  create: async (request, next) =>
    request.preview ? { id: '', outputs: request.inputs, refreshBeforeUpdate: false } : next(request),
  update: async (request, next) =>
    request.preview ? { outputs: request.news, refreshBeforeUpdate: false } : next(request),
};
