import type { ProviderLoader } from '@cairn/engine';
import type { PropertyMap } from '@cairn/values';
import { intercept, isInitFailed, mapFields } from '@cairn/wire';
import type { ProviderInterceptor } from '@cairn/wire';

/** Gets properties that go to a provider or come from it. */
type Hear = (map: PropertyMap | undefined) => void;

// What repeats another field with its output values has no texts of its own.
const SENT = mapFields('request', ['settings', 'properties']);
const RECEIVED = mapFields('response', ['settings', 'properties']);

/**
 * The loader, whose providers tell `hear` of all properties before a call and after it: what is secret in them is known
 * before anything is said of it.
 */
export function heardProviders(loader: ProviderLoader, hear: Hear): ProviderLoader {
  const heard: ProviderInterceptor = async (call, request, next) => {
    hearAll(request, SENT[call], hear);
    try {
      const response = await next(request);
      hearAll(response, RECEIVED[call], hear);
      return response;
    } catch (error) {
      if (isInitFailed(error)) hearAll(error, ['inputs', 'outputs'], hear);
      throw error;
    }
  };
  return { load: async (spec) => intercept(await loader.load(spec), heard) };
}

function hearAll(holder: unknown, names: readonly string[], hear: Hear): void {
  if (typeof holder !== 'object' || holder === null) return;
  for (const name of names) hear((holder as Readonly<Record<string, PropertyMap | undefined>>)[name]);
}
