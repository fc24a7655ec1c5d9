import type { Database } from './connections.js';

/** Column that has names of blobs. */
interface BlobColumn {
  readonly table: string;
  readonly column: string;
}

/** Returns the columns of all tables that have names of blobs: those called `blob`, or with that ending. */
export async function blobColumns(db: Database): Promise<readonly BlobColumn[]> {
  const { rows } = await db.query<BlobColumn>(
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'cairn' and column_name ~ '(^|_)blob$' order by table_name, column_name`,
  );
  return rows;
}
