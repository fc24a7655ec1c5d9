import type { NewSeal } from '@cairn/backends';
import { settled } from '@cairn/crypters';
import type { Crypter, SecretsManager } from '@cairn/crypters';
import { resealedDeployment } from '@cairn/state';
import type { Json, JsonObject, SecretsProviderRecord } from '@cairn/state';
import { jsonText, recryptConfig, secureTexts, treeOfStored } from '@cairn/workspace';
import { ciphertextsIn, ciphertextsOf, fetchedCrypter, openManager } from '../access/secrets.js';
import type { Ports } from '../ports.js';

/**
 * Returns the sealing of all secrets of a stack under another manager. Present ones are opened by the managers that
 * states and entries name.
 */
export function newSeal(ports: Ports, secretsProvider: SecretsProviderRecord, to: Crypter): NewSeal {
  const opened = new Map<string, SecretsManager>();
  const managerNamed = (record: SecretsProviderRecord): SecretsManager => {
    const name = JSON.stringify([record.type, record.state]);
    const known = opened.get(name) ?? openManager(ports, record);
    opened.set(name, known);
    return known;
  };
  return {
    secretsProvider,
    deployment: async (deployment) => {
      const manager = deployment.secretsProvider && managerNamed(deployment.secretsProvider);
      const from = manager === undefined ? to : await fetchedCrypter(manager, ciphertextsOf(deployment));
      return resealedDeployment(deployment, { from, to, secretsProvider, source: 'the state of the stack' });
    },
    config: async (config, record) => {
      const trees = new Map(
        Object.entries(config).map(([key, value]) => [key, treeOfStored(value)] as const),
      );
      const from = await fetchedCrypter(managerNamed(record), secureTexts(trees));
      const sealed = Object.fromEntries(
        [...recryptConfig(trees, from, to)].map(([key, tree]) => [key, JSON.parse(jsonText(tree)) as Json]),
      );
      return settled(sealed);
    },
    json: async (value, record) => {
      const from = await fetchedCrypter(managerNamed(record), ciphertextsIn(value));
      return settled(resealedJson(value, from, to));
    },
  };
}

/** Returns JSON data with every ciphertext in it under another key. The rest stays as it is. */
function resealedJson(value: Json, from: Crypter, to: Crypter): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => resealedJson(each, from, to));
  const map = value as JsonObject;
  const { ciphertext } = map;
  if (typeof ciphertext === 'string') return { ...map, ciphertext: to.encrypt(from.decrypt(ciphertext)) };
  return Object.fromEntries(Object.entries(map).map(([key, each]) => [key, resealedJson(each, from, to)]));
}
