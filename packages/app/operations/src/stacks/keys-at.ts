import type { Backend } from '@cairn/backends';
import type { SerializedDeployment } from '@cairn/state';

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
  };
}

function keysAt(deployment: SerializedDeployment, url: string): SerializedDeployment {
  const { secretsProvider: record } = deployment;
  if (record?.type !== 'service') return deployment;
  const state = JSON.parse(record.state ?? '{}') as object;
  return { ...deployment, secretsProvider: { ...record, state: JSON.stringify({ ...state, url }) } };
}
