import type { UpdateRecord } from '../../domain/update-record.js';
import type { FoundPreviews, PreviewPage } from '../service-store.js';
import type { Database } from './connections.js';

/** Migration 7: previews by the version of their stack that they started from. Those from before have none. */
export const PREVIEW_SCHEMA = `
  alter table cairn.updates add column preview_of integer, add column previewed_at timestamptz;
  create index previews_of_stack on cairn.updates (stack, preview_of, previewed_at) where preview_of is not null;
`;

/** Returns previews of a stack. */
export async function previewRows(
  db: Database,
  stackId: string,
  { version, size, page, oldestFirst }: PreviewPage,
): Promise<FoundPreviews> {
  const order = oldestFirst ? 'asc' : 'desc';
  const { rows } = await db.query<{ record: string; total: number }>(
    `select record, (count(*) over ())::integer as total from cairn.updates
      where stack = $1 and preview_of = $2
      order by previewed_at ${order}, id ${order} limit $3 offset $4`,
    [stackId, version, size ?? null, size === undefined ? 0 : (page - 1) * size],
  );
  const previews = rows.map(({ record }) => JSON.parse(record) as UpdateRecord);
  return { previews, total: rows[0]?.total ?? 0 };
}
