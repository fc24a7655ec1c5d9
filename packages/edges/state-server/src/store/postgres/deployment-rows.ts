import type { AskedDeployment } from '../../domain/deployments/deployment.js';
import { EVERY_ID, repeatedNotice } from '../deployment-store.js';
import type {
  AgentRow,
  DeploymentKind,
  DeploymentRows,
  DeploymentStore,
  IdRange,
  IdentifiedRow,
  NoticeRow,
} from '../deployment-store.js';
import type { Database } from './connections.js';
import { namedStack } from './stack-rows.js';
import type { NamedRow } from './stack-rows.js';

/** Migration 15: settings, schedules, deployments, looks for drift, logs, and the times of looks at stacks. */
export const DEPLOYMENT_SCHEMA = `
  create table cairn.deployment_rows (
    stack uuid not null references cairn.stacks on delete cascade,
    kind text not null,
    id text collate "C" not null,
    open boolean not null,
    record text not null,
    primary key (stack, kind, id)
  );
  create index deployments_open on cairn.deployment_rows (stack, id) where open;
  create table cairn.due_stacks (
    stack uuid primary key references cairn.stacks on delete cascade,
    due timestamptz not null
  );
  create index due_stacks_by_time on cairn.due_stacks (due);
`;

/** Migration 16: runs that agents have, and the agents. */
export const AGENT_SCHEMA = `
  create table cairn.run_leases (
    deployment text primary key,
    stack uuid not null references cairn.stacks on delete cascade,
    kept_until timestamptz not null
  );
  create table cairn.agents (
    org text not null,
    name text not null,
    record text not null,
    seen_at timestamptz not null,
    primary key (org, name)
  );
`;

/** Migration 17: notices. */
export const NOTICE_SCHEMA = `
  create table cairn.notices (
    org text not null,
    name text not null,
    repeated text collate "C" not null,
    record text not null,
    primary key (org, name)
  );
  create index notices_by_time on cairn.notices (org, repeated);
`;

interface Row {
  readonly id: string;
  readonly record: string;
}

function identifiedRow<K extends DeploymentKind>({ id, record }: Row): IdentifiedRow<K> {
  return { id, row: JSON.parse(record) as DeploymentRows[K] };
}

/** Deployments of stacks, as rows. */
export function rowsOfDeployments(db: Database): DeploymentStore {
  return {
    deploymentRows: async <K extends DeploymentKind>(
      stackId: string,
      kind: K,
      { from, below }: IdRange = EVERY_ID,
    ) => {
      const { rows } = await db.query<Row>(
        `select id, record from cairn.deployment_rows
          where stack = $1 and kind = $2 and id >= $3 and id < $4 order by id`,
        [stackId, kind, from, below],
      );
      return rows.map((row) => identifiedRow<K>(row));
    },
    deploymentPage: async <K extends DeploymentKind>(
      stackId: string,
      kind: K,
      { size, page }: { readonly size: number; readonly page: number },
    ) => {
      const { rows } = await db.query<Row>(
        `select id, record from cairn.deployment_rows
          where stack = $1 and kind = $2 order by id desc limit $3 offset $4`,
        [stackId, kind, size, (page - 1) * size],
      );
      const counted = await db.query<{ total: number }>(
        'select count(*)::integer as total from cairn.deployment_rows where stack = $1 and kind = $2',
        [stackId, kind],
      );
      return { rows: rows.map((row) => identifiedRow<K>(row)), total: counted.rows[0]?.total ?? 0 };
    },
    openDeployments: async (stackId) => {
      const sql = 'select record from cairn.deployment_rows where stack = $1 and open order by id';
      const { rows } = await db.query<Row>(sql, [stackId]);
      return rows.map(({ record }) => JSON.parse(record) as AskedDeployment);
    },
    putDeploymentRow: async (stackId, kind, id, row, isOpen = false) =>
      void (await db.query(
        `insert into cairn.deployment_rows (stack, kind, id, open, record) values ($1, $2, $3, $4, $5)
         on conflict (stack, kind, id) do update set open = excluded.open, record = excluded.record`,
        [stackId, kind, id, isOpen, JSON.stringify(row)],
      )),
    removeDeploymentRows: async (stackId, kind, { from, below }) =>
      void (await db.query(
        'delete from cairn.deployment_rows where stack = $1 and kind = $2 and id >= $3 and id < $4',
        [stackId, kind, from, below],
      )),
    wakeStack: async (_stack, stackId, ms) => {
      if (ms === undefined)
        return void (await db.query('delete from cairn.due_stacks where stack = $1', [stackId]));
      await db.query(
        `insert into cairn.due_stacks values ($1, clock_timestamp() + $2 * interval '1 millisecond')
         on conflict (stack) do update set due = excluded.due`,
        [stackId, ms],
      );
    },
    dueStacks: async (most) => {
      // The time is a subquery: an index is not searched for a time that may differ from row to row.
      const { rows } = await db.query<NamedRow>(
        `select s.org, s.project, s.name from cairn.due_stacks d join cairn.stacks s on s.id = d.stack
          where d.due <= (select clock_timestamp()) order by d.due limit $1`,
        [most],
      );
      return rows.map(namedStack);
    },
    ...rowsOfRunLeases(db),
    ...rowsOfAgents(db),
  };
}

function rowsOfRunLeases(
  db: Database,
): Pick<DeploymentStore, 'keepRunLease' | 'endRunLease' | 'livingRunLeases'> {
  return {
    keepRunLease: async (stackId, deployment, ms) =>
      void (await db.query(
        `insert into cairn.run_leases values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
         on conflict (deployment) do update set kept_until = excluded.kept_until`,
        [deployment, stackId, ms],
      )),
    endRunLease: async (deployment) =>
      void (await db.query('delete from cairn.run_leases where deployment = $1', [deployment])),
    livingRunLeases: async (deployments) => {
      if (deployments.length === 0) return new Set();
      const { rows } = await db.query<{ deployment: string }>(
        `select deployment from cairn.run_leases
          where deployment = any($1::text[]) and kept_until > clock_timestamp()`,
        [deployments],
      );
      return new Set(rows.map(({ deployment }) => deployment));
    },
  };
}

function rowsOfAgents(
  db: Database,
): Pick<
  DeploymentStore,
  'seeAgent' | 'putAgent' | 'listAgents' | 'addNotice' | 'acknowledgeNotice' | 'listNotices'
> {
  const findNotice = async (organization: string, name: string): Promise<NoticeRow | undefined> => {
    const sql = 'select record from cairn.notices where org = $1 and name = $2';
    const [row] = (await db.query<Pick<Row, 'record'>>(sql, [organization, name])).rows;
    return row && (JSON.parse(row.record) as NoticeRow);
  };
  const put = async (organization: string, agent: AgentRow): Promise<void> =>
    void (await db.query(
      `insert into cairn.agents values ($1, $2, $3, clock_timestamp())
       on conflict (org, name) do update set record = excluded.record, seen_at = excluded.seen_at`,
      [organization, agent.name, JSON.stringify(agent)],
    ));
  return {
    seeAgent: async (organization, agent) => {
      // One statement, since a drain may come at the same moment.
      const { rows } = await db.query<Pick<Row, 'record'>>(
        `insert into cairn.agents values ($1, $2, $3, clock_timestamp())
         on conflict (org, name) do update set seen_at = excluded.seen_at,
           record = case when cairn.agents.record::json->>'drain' = 'true' then $4 else excluded.record end
         returning record`,
        [organization, agent.name, JSON.stringify(agent), JSON.stringify({ ...agent, drain: true })],
      );
      return JSON.parse((rows[0] as Row).record) as AgentRow;
    },
    putAgent: put,
    listAgents: async (organization) => {
      const { rows } = await db.query<Pick<Row, 'record'> & { ago: number }>(
        `select record, (extract(epoch from clock_timestamp() - seen_at) * 1000)::double precision as ago
           from cairn.agents where org = $1 order by name`,
        [organization],
      );
      return rows.map(({ record, ago }) => ({ agent: JSON.parse(record) as AgentRow, agoMs: ago }));
    },
    addNotice: async (organization, notice, before) => {
      const name = `${notice.type} ${notice.key}`;
      const noted = repeatedNotice(await findNotice(organization, name), notice);
      await db.query(
        `insert into cairn.notices values ($1, $2, $3, $4)
         on conflict (org, name) do update set repeated = excluded.repeated, record = excluded.record
           where $5::text is null or cairn.notices.repeated <= $5`,
        [organization, name, noted['last-repeated'], JSON.stringify(noted), before ?? null],
      );
    },
    acknowledgeNotice: async (organization, { type, key }, acknowledged) => {
      const name = `${type} ${key}`;
      const found = await findNotice(organization, name);
      if (found === undefined) return;
      await db.query(
        // One that was repeated meanwhile is new again.
        'update cairn.notices set record = $4 where org = $1 and name = $2 and repeated = $3',
        [organization, name, found['last-repeated'], JSON.stringify({ ...found, acknowledged })],
      );
    },
    listNotices: async (organization, after) => {
      const { rows } = await db.query<Pick<Row, 'record'>>(
        'select record from cairn.notices where org = $1 and repeated > $2 order by repeated',
        [organization, after],
      );
      return rows.map(({ record }) => JSON.parse(record) as NoticeRow);
    },
  };
}
