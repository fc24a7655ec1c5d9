import type { ProviderLoader } from '@cairn/engine';
import type { PropertyMap } from '@cairn/values';
import { intercept, isInitFailed, mapFields } from '@cairn/wire';
import type { ProviderInterceptor } from '@cairn/wire';

/** Receives properties that go to a provider or come from it. */
type Hear = (map: PropertyMap | undefined) => void;

// Fields that repeat another field with its output values have no texts of their own.
const SENT = mapFields('request', ['settings', 'properties']);
const RECEIVED = mapFields('response', ['settings', 'properties']);

/**
 * Returns the loader, with providers that pass all properties to `hear` before a call and after it. Their secrets are
 * known before any message about them.
 */
export function collectSecrets(loader: ProviderLoader, hear: Hear): ProviderLoader {
  const heard: ProviderInterceptor = (call, request, next) => {
    hearAll(request, SENT[call], hear);
    return next(request).then(
      (response) => {
        hearAll(response, RECEIVED[call], hear);
        return response;
      },
      (error: unknown) => {
        if (isInitFailed(error)) hearAll(error, ['inputs', 'outputs'], hear);
        throw error;
      },
    );
  };
  return { load: async (spec) => intercept(await loader.load(spec), heard) };
}

function hearAll(holder: unknown, names: readonly string[], hear: Hear): void {
  if (typeof holder !== 'object' || holder === null) return;
  const properties = holder as Readonly<Record<string, PropertyMap | undefined>>;
  for (let at = 0; at < names.length; at++) hear(properties[names[at] as string]);
}
