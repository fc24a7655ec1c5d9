import { isSameChange, servedChangesToRemove, stateDigest } from '@cairn/backends';
import type { MovingChange } from '@cairn/backends';
import { changeNameOf, pastUpdateOf, sealedBy, startedChange } from '../../domain/served-change.js';
import type { ServedChange } from '../../domain/served-change.js';
import type { FoundChange, ServedChangeStore } from '../change-store.js';
import { recordTexts } from '../record-texts.js';
import type { Database } from './connections.js';
import type { StateBlobs } from './state-blobs.js';

interface ChangeRow {
  readonly number: number;
  readonly update: string;
  readonly operation: string;
  readonly sealed: string | null;
}

/** Changes of stacks, with their records and messages, as rows. */
export function rowsOfChanges(db: Database, blobs: StateBlobs): ServedChangeStore {
  const changes = async (where: string, values: readonly unknown[]): Promise<readonly ServedChange[]> => {
    const { rows } = await db.query<ChangeRow>(
      `select number, update_id as update, operation, sealed from cairn.changes ${where}`,
      values,
    );
    return rows.map(({ number, update, operation, sealed }) => ({
      ...{ number, update, operation: JSON.parse(operation) as ServedChange['operation'] },
      ...(sealed !== null && { sealed: JSON.parse(sealed) as ServedChange['operation'] }),
    }));
  };
  /** Removes a change with its records and messages, and the journal of its update. */
  const removeChange = async (stackId: string, number: number, update: string): Promise<void> => {
    for (const table of ['change_records', 'journal'])
      await db.query(`delete from cairn.${table} where update_id = $1`, [update]);
    await db.query('delete from cairn.changes where stack = $1 and number = $2', [stackId, number]);
  };
  const numbers = async (stackId: string): Promise<readonly number[]> => {
    const sql = 'select number from cairn.changes where stack = $1 order by number';
    const { rows } = await db.query<Pick<ChangeRow, 'number'>>(sql, [stackId]);
    return rows.map(({ number }) => number);
  };
  const one = async (stackId: string, number: number): Promise<ServedChange | undefined> =>
    (await changes('where stack = $1 and number = $2', [stackId, number]))[0];
  return {
    changes: async ({ stackId }, choice) => {
      if (choice === undefined) return changes('where stack = $1 order by number', [stackId]);
      if ('number' in choice) return changes('where stack = $1 and number = $2', [stackId, choice.number]);
      const newestFirst = 'where stack = $1 order by number desc limit $2';
      return (await changes(newestFirst, [stackId, choice.newest])).toReversed();
    },
    changeNumbers: ({ stackId }) => numbers(stackId),
    change: async ({ stackId }, number) => {
      const found = await one(stackId, number);
      const tasks = found?.sealed?.['tasks'] as FoundChange['tasks'];
      return found && { number, update: found.update, tasks };
    },
    openChange: async ({ stackId }, update, { version, base }) => {
      const newest = (await numbers(stackId)).at(-1) ?? 0;
      const started = { number: Math.max(version, newest) + 1, base: stateDigest(base) };
      const { operation } = startedChange(update, started);
      await db.query('insert into cairn.changes values ($1, $2, $3, $4, null)', [
        ...[stackId, started.number, update.id, JSON.stringify(operation)],
      ]);
      return started;
    },
    closeChange: async ({ stackId }, { id, change }, { end, left, keep }) => {
      const sealed = sealedBy(id, end, left && stateDigest(left));
      await db.query('update cairn.changes set sealed = $3 where stack = $1 and number = $2', [
        ...[stackId, change.number, JSON.stringify(sealed)],
      ]);
      // Few stacks have more changes than are kept, and only those are read.
      if ((await numbers(stackId)).length <= keep) return;
      const all = await changes('where stack = $1 order by number', [stackId]);
      const gone = servedChangesToRemove(all, keep);
      for (const { number, update } of all) if (gone.has(number)) await removeChange(stackId, number, update);
    },
    takeChange: async ({ stackId }, change) => {
      const { number, lock, operation, end, states, base, texts, messages } = change;
      const present = await one(stackId, number);
      if (present !== undefined)
        return isSameChange(pastOf(present), change) ? ('there' as const) : ('taken' as const);
      const ref = base && (await blobs.putState(stackId, base));
      const update = pastUpdateOf(stackId, change);
      await db.query(
        `insert into cairn.updates (id, stack, status, record, base_blob, base_sha256, lease_until)
         values ($1, $2, $3, $4, $5, $6, clock_timestamp())`,
        [lock, stackId, update.status, JSON.stringify(update), ref?.blob ?? null, ref?.sha256 ?? null],
      );
      await db.query(
        `insert into cairn.change_records
         select $1, seq, record from unnest($2::text[]) with ordinality as r(record, seq)`,
        [lock, texts],
      );
      const name = base === undefined ? states.base : stateDigest(base);
      const described = { change: changeNameOf(number), lock, ...operation, base: name };
      const sealed = { lock, ...end, ...(states.left !== undefined && { checkpoint: states.left }) };
      await db.query('insert into cairn.changes values ($1, $2, $3, $4, $5)', [
        ...[stackId, number, lock, JSON.stringify(described), JSON.stringify(sealed)],
      ]);
      await db.query(
        `insert into cairn.change_messages
         select $1, $2, place, message from unnest($3::text[]) with ordinality as m(message, place)`,
        [stackId, number, messages.map((message) => JSON.stringify(message))],
      );
      return 'added';
    },
    changeRecords: async (_of, { update }, after) => {
      const { rows } = await db.query<{ record: string }>(
        'select record from cairn.change_records where update_id = $1 and seq > $2 order by seq',
        [update, after],
      );
      const records = rows.map(({ record }) => ({ text: record, value: JSON.parse(record) as unknown }));
      return recordTexts(records, async (sequences) => {
        const found = await db.query<{ entry: string }>(
          'select entry from cairn.journal where update_id = $1 and seq = any($2::bigint[]) order by seq',
          [update, [...sequences]],
        );
        return found.rows.map(({ entry }) => entry);
      });
    },
    messages: async ({ stackId }, number) => {
      const { rows } = await db.query<{ message: string }>(
        'select message from cairn.change_messages where stack = $1 and number = $2 order by place',
        [stackId, number],
      );
      return rows.map(({ message }) => message);
    },
    addMessage: async ({ stackId }, number, message) =>
      void (await db.query(
        `insert into cairn.change_messages
         select $1, $2, coalesce(max(place), 0) + 1, $3 from cairn.change_messages
          where stack = $1 and number = $2`,
        [stackId, number, message],
      )),
  };
}

/** Returns what tells if a change is the same as another one. */
function pastOf({ operation, sealed }: ServedChange): Pick<MovingChange, 'operation' | 'end'> {
  return { operation, end: sealed ?? {} } as unknown as Pick<MovingChange, 'operation' | 'end'>;
}
