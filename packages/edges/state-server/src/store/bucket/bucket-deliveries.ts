import type { BlobStore } from '@cairn/blobs';
import type { AccessReader } from '../access-store.js';
import { KEPT_DELIVERIES } from '../delivery-store.js';
import type { DeliveryStore, HookDelivery } from '../delivery-store.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';

/**
 * Deliveries in a bucket: one document each, and a mark for each that is due. The times at which they are due are kept
 * in memory: after a restart all of them are due at once.
 */
export function bucketDeliveries(
  blobs: BlobStore,
  documents: Documents,
  monotonic: () => number,
  access: AccessReader,
): DeliveryStore {
  let loaded: Promise<Map<string, number>> | undefined;
  /** Times at which deliveries are due, by the ends of their keys. */
  const due = (): Promise<Map<string, number>> => {
    loaded ??= blobs
      .list(keys.dueDeliveries)
      .then((rows) => new Map(rows.map(({ key }) => [key.slice(keys.dueDeliveries.length), 0])))
      .catch((thrown: unknown) => {
        loaded = undefined;
        throw thrown;
      });
    return loaded;
  };
  const at = (key: string): string => `${keys.allDeliveries}${key}`;
  const mark = (key: string): string => `${keys.dueDeliveries}${key}`;
  return {
    webhooks: (organization) => access.listAccess('hooks', organization),
    addDeliveries: async (deliveries) => {
      for (const delivery of deliveries) {
        const key = keys.delivery(delivery);
        // The mark is first: a delivery without one would never be sent.
        (await due()).set(key, 0);
        await documents.put(mark(key), {});
        await documents.edit<HookDelivery>(at(key), async (known) =>
          known === undefined ? delivery : undefined,
        );
      }
    },
    takeDeliveries: async (most, ms) => {
      const times = await due();
      const now = monotonic();
      const ready = [...times].filter(([, time]) => time <= now).sort(([, a], [, b]) => a - b);
      const taken: HookDelivery[] = [];
      for (const [key] of ready.slice(0, most)) {
        times.set(key, now + ms);
        const delivery = await documents.get<HookDelivery>(at(key));
        if (delivery !== undefined) taken.push(delivery);
        else {
          await documents.remove(mark(key));
          times.delete(key);
        }
      }
      return taken;
    },
    putDelivery: async (delivery, ms) => {
      const key = keys.delivery(delivery);
      await documents.put(at(key), delivery);
      const times = await due();
      if (ms !== undefined) times.set(key, monotonic() + ms);
      else if (times.delete(key)) await documents.remove(mark(key));
    },
    listDeliveries: async (organization, hook) => {
      const rows = await blobs.list(`${keys.allDeliveries}${organization}/${hook}/`);
      const newest = rows.slice(-KEPT_DELIVERIES).reverse();
      const found = await Promise.all(newest.map(({ key }) => documents.get<HookDelivery>(key)));
      return found.filter((delivery) => delivery !== undefined);
    },
    findDelivery: (organization, hook, id) =>
      documents.get<HookDelivery>(at(keys.delivery({ organization, hook, id }))),
    removeDeliveries: async (organization, hook, keep) => {
      const rows = await blobs.list(`${keys.allDeliveries}${organization}/${hook}/`);
      const times = await due();
      for (const { key } of keep === 0 ? rows : rows.slice(0, -keep)) {
        const end = key.slice(keys.allDeliveries.length);
        if (keep > 0 && times.has(end)) continue;
        if (times.delete(end)) await documents.remove(mark(end));
        await documents.remove(key);
      }
    },
  };
}
