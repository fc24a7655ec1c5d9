import type { KeyService, KeyServiceSources } from './key-service.js';
import type { KeyScheme } from './key-url.js';
import { parseKeyUrl } from './key-url.js';

/** Opens the service of a key URL. */
export type OpenKeyService = (url: string, sources: KeyServiceSources) => Promise<KeyService>;

/** Services by scheme, each loaded only when a URL of its scheme is used. */
const services = {
  awskms: async (url, sources) => (await import('./aws-kms.js')).awsKms(url, sources),
  azurekeyvault: async (url, sources) => (await import('./azure-key-vault.js')).azureKeyVault(url, sources),
  gcpkms: async (url, sources) => (await import('./gcp-kms.js')).gcpKms(url, sources),
  hashivault: async (url, sources) => (await import('./hashi-vault.js')).hashiVault(url, sources),
} satisfies Record<
  KeyScheme,
  (url: ReturnType<typeof parseKeyUrl>, sources: KeyServiceSources) => Promise<KeyService>
>;

/** Opens the service of a URL without calling it. Fails with `CAIRN-SECRETS-UNKNOWN-TYPE`, `CAIRN-KEY-URL`. */
export const openKeyService: OpenKeyService = async (text, sources) => {
  const url = parseKeyUrl(text);
  return services[url.scheme](url, sources);
};
