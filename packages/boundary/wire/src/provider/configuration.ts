import { providerTypePackage } from '@cairn/addresses';
import { isArray, isKind, isMap, plainOutputs, stripSecrets } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';

/**
 * Encodes settings of a provider in the older form: texts by `<package>:config:<key>`. Texts are sent bare, everything
 * else as JSON. Secrets are sent in the clear, and `version` is left out [PROV-11].
 */
export function configVariables(providerType: string, inputs: PropertyMap): Map<string, string> {
  const prefix = `${providerTypePackage(providerType) ?? providerType}:config:`;
  const variables = new Map<string, string>();
  for (const key of Object.keys(inputs)) {
    if (key === 'version') continue;
    const value = stripSecrets(plainOutputs(inputs[key] as PropertyValue));
    variables.set(prefix + key, typeof value === 'string' ? value : JSON.stringify(plain(value)));
  }
  return variables;
}

function plain(value: PropertyValue): unknown {
  if (isArray(value)) return value.map(plain);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  if (isKind(value, 'reference')) return typeof value.id === 'string' ? value.id : value.urn;
  if (isKind(value, 'bytes')) return Buffer.from(value.bytes).toString('base64');
  if (isKind(value, 'asset')) return value.text ?? value.path ?? value.uri ?? null;
  if (isKind(value, 'archive')) return value.path ?? value.uri ?? null;
  return value;
}
