import { ORGANIZATION } from '@cairn/backends';
import type { ServiceStore } from './service-store.js';
import type { TokenRecord } from './token-store.js';

/**
 * Returns a store for one person who looks at a bucket: tokens and sessions are in the memory of this process, this
 * person may do everything, and nothing is written but what a call of the person writes. Services and tools on the same
 * bucket are left alone.
 */
export function privateStore(store: ServiceStore): ServiceStore {
  const tokens = new Map<string, TokenRecord>();
  const nothing = async (): Promise<void> => undefined;
  const { hold: _hold, notes: _notes, overviews: _overviews, ...rest } = store;
  return {
    ...rest,
    findToken: async (hash) => tokens.get(hash),
    putToken: async (token) => void tokens.set(token.hash, token),
    findTokenById: async (id) => [...tokens.values()].find(({ hash }) => hash.startsWith(id)),
    findTokenPage: async () => [],
    hasTokens: async () => true,
    listTokens: async () => [...tokens.values()],
    removeToken: async (hash) => tokens.delete(hash),
    noteTokenUse: nothing,
    tokenUses: async () => new Map(),
    listAccess: async () => [],
    findAccess: async () => undefined,
    changeAccess: async (_place, work) =>
      work({
        ...{ listAccess: async () => [], findAccess: async () => undefined },
        ...{ putAccess: nothing, removeAccess: nothing },
      }),
    accessFacts: async () => ({ member: 'admin', grants: [], roles: [] }),
    organizationsOf: async () => [ORGANIZATION],
    audited: (_record, work) => work(),
    auditRows: async () => [],
    takeAuditRows: async () => false,
    lapsedUpdates: async () => [],
    clean: nothing,
  };
}
