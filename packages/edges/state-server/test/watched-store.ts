import type { ServiceStore } from '../src/index.js';
import type { StackStore } from '../src/store/service-store.js';

/** Methods of a store that change nothing but, maybe, the audit log. */
const READS: ReadonlySet<string> = new Set([
  ...[
    'ping',
    'close',
    'summary',
    'stackExists',
    'tags',
    'stackRecord',
    'stamp',
    'history',
    'runningUpdate',
    'base',
  ],
  ...[
    'journal',
    'events',
    'notes',
    'lapsedUpdates',
    'list',
    'accessFacts',
    'organizationsOf',
    'overviews',
    'figures',
    'hasTokens',
    // A call that is refused counts as an attempt.
    'countAttempt',
    'forgiveAttempts',
    'appendAudit',
    'webhooks',
    'openDeployments',
    'deploymentRows',
    'deploymentPage',
    'livingRunLeases',
    'dueStacks',
  ],
]);

/** Methods whose work changes something, by the store that it is given. */
const WORK: ReadonlySet<string> = new Set(['turn', 'changeAccess']);

const isRead = (name: string): boolean => READS.has(name) || /^(?:find|list|read)[A-Z]/.test(name);

/**
 * Returns a store that reports the name of each write that took effect. With `isAtomic`, the writes of a turn that
 * fails take none.
 */
export function watchedStore(
  store: ServiceStore,
  wrote: (name: string) => void,
  isAtomic: boolean,
): ServiceStore {
  const watched = <T extends object>(target: T, note: (name: string) => void): T =>
    new Proxy(target, {
      get: (_target, name: string) => {
        const value = target[name as keyof T] as unknown;
        if (name === 'notes') return value && watched(value as object, note);
        if (typeof value !== 'function') return value;
        const call = value.bind(target) as (...args: unknown[]) => unknown;
        if (WORK.has(name))
          return async (stacks: never, work: (inner: StackStore) => Promise<unknown>) => {
            let writes: string[] = [];
            const result = await call(stacks, (inner: StackStore) => {
              writes = [];
              return work(watched(inner, isAtomic ? (each) => void writes.push(each) : note));
            });
            writes.forEach(note);
            return result;
          };
        if (isRead(name)) return call;
        return async (...args: unknown[]) => {
          const result = await call(...args);
          note(name);
          return result;
        };
      },
    });
  return watched(store, wrote);
}
