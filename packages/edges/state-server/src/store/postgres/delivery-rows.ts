import type { Hook } from '../../domain/hooks.js';
import { KEPT_DELIVERIES } from '../delivery-store.js';
import type { DeliveryStore, HookDelivery } from '../delivery-store.js';
import type { Database } from './connections.js';

/** Migration 12: webhooks, and what they send. */
export const HOOK_SCHEMA = `
  create table cairn.hooks (org text not null, id text not null, record jsonb not null, primary key (org, id));
  create table cairn.deliveries (
    org text not null,
    hook text not null,
    id text collate "C" not null,
    due timestamptz,
    record text not null,
    primary key (org, hook, id)
  );
  create index deliveries_by_due on cairn.deliveries (due) where due is not null;
`;

/** Deliveries of webhooks, as rows. They are due by the clock of the database. */
export function rowsOfDeliveries(db: Database): DeliveryStore {
  return {
    webhooks: async (organization) => {
      const sql = 'select record from cairn.hooks where org = $1 order by id';
      return (await db.query<{ record: Hook }>(sql, [organization])).rows.map(({ record }) => record);
    },
    addDeliveries: async (deliveries) => {
      for (const delivery of deliveries)
        await db.query(
          `insert into cairn.deliveries (org, hook, id, due, record) values ($1, $2, $3, clock_timestamp(), $4)
           on conflict do nothing`,
          [...namesOf(delivery), JSON.stringify(delivery)],
        );
    },
    takeDeliveries: async (most, ms) => {
      const { rows } = await db.query<Row>(
        `update cairn.deliveries d set due = clock_timestamp() + $2 * interval '1 millisecond'
           from (select org, hook, id, due from cairn.deliveries where due <= (select clock_timestamp())
                  order by due limit $1 for update skip locked) t
          where d.org = t.org and d.hook = t.hook and d.id = t.id
         returning d.record`,
        [most, ms],
      );
      return rows.map(deliveryIn);
    },
    putDelivery: async (delivery, ms) =>
      void (await db.query(
        `insert into cairn.deliveries (org, hook, id, due, record)
         values ($1, $2, $3, clock_timestamp() + $5 * interval '1 millisecond', $4)
         on conflict (org, hook, id) do update set due = excluded.due, record = excluded.record`,
        [...namesOf(delivery), JSON.stringify(delivery), ms ?? null],
      )),
    listDeliveries: async (organization, hook) => {
      const { rows } = await db.query<Row>(
        `select record from cairn.deliveries where org = $1 and hook = $2
          order by id desc limit ${KEPT_DELIVERIES}`,
        [organization, hook],
      );
      return rows.map(deliveryIn);
    },
    findDelivery: async (organization, hook, id) => {
      const sql = 'select record from cairn.deliveries where org = $1 and hook = $2 and id = $3';
      const [row] = (await db.query<Row>(sql, [organization, hook, id])).rows;
      return row && deliveryIn(row);
    },
    removeDeliveries: async (organization, hook, keep) =>
      void (await db.query(
        `delete from cairn.deliveries where org = $1 and hook = $2 and ($3 = 0 or due is null) and id not in
           (select id from cairn.deliveries where org = $1 and hook = $2 order by id desc limit $3)`,
        [organization, hook, keep],
      )),
  };
}

interface Row {
  readonly record: string;
}

function deliveryIn({ record }: Row): HookDelivery {
  return JSON.parse(record) as HookDelivery;
}

function namesOf({ organization, hook, id }: HookDelivery): readonly string[] {
  return [organization, hook, id];
}
