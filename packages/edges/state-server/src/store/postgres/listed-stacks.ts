import { organizationOf } from '@cairn/backends';
import type { HistoryEntry, StackId } from '@cairn/backends';
import { lostMarkIn } from '../../domain/lost-state.js';
import type { UpdateRecord } from '../../domain/update-record.js';
import type { ListedOverview } from '../service-store.js';
import type { Database } from './connections.js';

/** Row of a list. `entry` and `sealed` are texts of JSON. */
interface ListedRow {
  readonly resources: number | null;
  readonly pending: number | null;
  readonly lastUpdate: Date | null;
  readonly running: boolean;
  readonly version: number | null;
  readonly entry: string | null;
  readonly sealed: string | null;
  readonly looked: string | null;
  readonly waiting: number;
  readonly lost: string | null;
}

/** Returns what the console lists of stacks, in their order, with one query. */
export async function listedStacks(
  db: Database,
  stacks: readonly StackId[],
): Promise<readonly ListedOverview[]> {
  const { rows } = await db.query<ListedRow>(
    `select s.resources, s.pending, s.last_update as "lastUpdate", u.id is not null as running,
            c.version, c.entry, h.sealed, p.looked, t.waiting, s.lost
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k(org, project, name, place)
       left join cairn.stacks s using (org, project, name)
       left join cairn.updates u on u.id = s.running and u.status = 'running'
       left join lateral (select version, entry from cairn.checkpoints
                           where stack = s.id order by version desc limit 1) c on true
       left join lateral (select sealed from cairn.changes
                           where stack = s.id order by number desc limit 1) h on true
       left join lateral (select record as looked from cairn.updates
                           where stack = s.id and preview_of = coalesce(c.version, 0) and status = 'succeeded'
                             and record::json->>'kind' = 'refresh'
                           order by previewed_at desc limit 1) p on true
       left join lateral (select count(*)::integer as waiting from cairn.tickets
                           where stack = s.id and kept_until > clock_timestamp()) t on true
      order by k.place`,
    [stacks.map(organizationOf), stacks.map(({ project }) => project), stacks.map(({ stack }) => stack)],
  );
  return rows.map(
    ({ resources, pending, lastUpdate, running, version, entry, sealed, looked, waiting, lost }) => ({
      ...{ resources: resources ?? undefined, pending: pending ?? 0 },
      ...{ lastUpdate: lastUpdate?.toISOString(), running, waiting, lost: lostMarkIn(lost) },
      last:
        entry === null || version === null
          ? undefined
          : { ...(JSON.parse(entry) as HistoryEntry), number: version },
      ...openTasksIn(sealed),
      looked: looked === null ? undefined : (JSON.parse(looked) as UpdateRecord),
    }),
  );
}

/** Returns the numbers of steps that a change has left in doubt, and waiting for an approval. */
function openTasksIn(sealed: string | null): Pick<ListedOverview, 'inDoubt' | 'approvals'> {
  const { tasks } = JSON.parse(sealed ?? '{}') as {
    readonly tasks?: { readonly doubt?: number; readonly waiting?: number };
  };
  return { inDoubt: tasks?.doubt ?? 0, approvals: tasks?.waiting ?? 0 };
}
