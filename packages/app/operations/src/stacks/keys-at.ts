import type { Backend } from '@cairn/backends';
import type { SecretsProviderRecord, SerializedDeployment } from '@cairn/state';
import { withManagers } from './reseal-change.js';

/**
 * Returns a backend whose states name another address of the service that keeps the keys of their secrets. It is for
 * reading: nothing that is written names the address.
 */
export function withKeysAt(backend: Backend, url: string): Backend {
  return {
    ...backend,
    read: async (id, options) => {
      const stored = await backend.read(id, options);
      return { ...stored, deployment: stored.deployment && keysAt(stored.deployment, url) };
    },
    stateAfter: async (id, version) => {
      const state = await backend.stateAfter(id, version);
      return state && keysAt(state, url);
    },
    pastChanges: {
      ...backend.pastChanges,
      read: async (id, number) => {
        const change = await backend.pastChanges.read(id, number);
        if (change === undefined) return undefined;
        const records = change.records.map((record) =>
          withManagers(record, (manager) => managerAt(manager, url)),
        );
        return { ...change, records, base: change.base && keysAt(change.base, url) };
      },
    },
  };
}

function keysAt(deployment: SerializedDeployment, url: string): SerializedDeployment {
  const { secretsProvider } = deployment;
  return secretsProvider === undefined
    ? deployment
    : { ...deployment, secretsProvider: managerAt(secretsProvider, url) };
}

function managerAt(record: SecretsProviderRecord, url: string): SecretsProviderRecord {
  if (record.type !== 'service') return record;
  const state = JSON.parse(record.state ?? '{}') as object;
  return { ...record, state: JSON.stringify({ ...state, url }) };
}
