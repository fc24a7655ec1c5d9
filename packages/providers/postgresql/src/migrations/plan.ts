import { createHash } from 'node:crypto';

/** One change of a database's tables, as the program gives it. */
export interface Migration {
  readonly name: string;
  /** SQL that makes the change. */
  readonly up: string;
  /** SQL that undoes it. Absent: it cannot be undone. */
  readonly down?: string | undefined;
}

/** A change that a database has had, in the order in which it had them. */
export interface Applied {
  readonly name: string;
  /** Of the SQL that made it: SHA-256, hexadecimal. */
  readonly checksum: string;
}

/** What brings a database from the migrations it has had to those that are wanted. Undone first, the last one first. */
export interface MigrationPlan {
  readonly undo: readonly string[];
  readonly apply: readonly Migration[];
}

/** Why there is no way: a text for people. */
interface NoWay {
  readonly why: string;
}

/** Of a migration's SQL. Ends of lines count as one character, so that a checkout on another system is the same. */
export function checksumOf({ up }: Pick<Migration, 'up'>): string {
  return createHash('sha256').update(up.replaceAll('\r\n', '\n')).digest('hex');
}

/**
 * What has to be done. Migrations are applied once, in order, and never changed: those that a database has had must be
 * the first of those wanted, each with the SQL that it had; what was applied after the last one wanted is undone.
 * `undoable`: names of applied migrations whose undoing is known.
 */
export function planMigrations(
  applied: readonly Applied[],
  wanted: readonly Migration[],
  undoable: ReadonlySet<string>,
): MigrationPlan | NoWay {
  const names = new Set(wanted.map(({ name }) => name));
  const kept = applied.findIndex(({ name }) => !names.has(name));
  const staying = kept === -1 ? applied : applied.slice(0, kept);
  const leaving = kept === -1 ? [] : applied.slice(kept);
  const stuck = leaving.find(({ name }) => names.has(name));
  if (stuck !== undefined)
    return {
      why: `${leaving[0]?.name} was applied before ${stuck.name} and is not among the migrations any more`,
    };
  for (const [index, { name, checksum }] of staying.entries()) {
    const one = wanted[index];
    if (one?.name !== name)
      return {
        why: `${one?.name ?? 'nothing'} stands where ${name} was applied; new migrations go to the end`,
      };
    if (checksumOf(one) !== checksum)
      return {
        why: `${name} was applied with another text; write a new migration, and leave this one as it was`,
      };
  }
  const fixed = leaving.find(({ name }) => !undoable.has(name));
  if (fixed !== undefined)
    return {
      why: `${fixed.name} was applied, is not among the migrations any more, and has no "down" that undoes it`,
    };
  return { undo: leaving.map(({ name }) => name).reverse(), apply: wanted.slice(staying.length) };
}
