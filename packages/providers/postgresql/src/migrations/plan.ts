import { createHash } from 'node:crypto';

/** One change of a database's tables, as the program declares it. */
export interface SqlMigration {
  readonly name: string;
  /** SQL that makes the change. */
  readonly up: string;
  /** SQL that undoes it. Without it the migration cannot be undone. */
  readonly down?: string | undefined;
}

/** A migration applied to a database. A list of them is in the order of application. */
export interface AppliedMigration {
  readonly name: string;
  /** SHA-256 of the SQL that was run, hexadecimal. */
  readonly checksum: string;
}

/**
 * Steps from the applied migrations to the desired ones. Undo steps come first, the last migration before the others.
 */
export interface MigrationPlan {
  readonly undo: readonly string[];
  readonly apply: readonly SqlMigration[];
}

/** Reason why there is no plan, as a text for users. */
interface NoWay {
  readonly why: string;
}

/**
 * Returns the checksum of a migration's SQL. Line ends count as one character, so that a checkout on another system is
 * the same.
 */
export function checksumOf({ up }: Pick<SqlMigration, 'up'>): string {
  return createHash('sha256').update(up.replaceAll('\r\n', '\n')).digest('hex');
}

/**
 * Plans the migration of a database. Migrations are applied once, in order, and never change: the applied ones must be
 * the first of the desired ones, each with the same SQL. Those applied after the last desired one are undone.
 * `undoable` contains the names of applied migrations whose undo SQL is known.
 */
export function planMigrations(
  applied: readonly AppliedMigration[],
  wanted: readonly SqlMigration[],
  undoable: ReadonlySet<string>,
): MigrationPlan | NoWay {
  const names = new Set(wanted.map(({ name }) => name));
  const kept = applied.findIndex(({ name }) => !names.has(name));
  const staying = kept === -1 ? applied : applied.slice(0, kept);
  const leaving = kept === -1 ? [] : applied.slice(kept);
  const stuck = leaving.find(({ name }) => names.has(name));
  if (stuck !== undefined)
    return {
      why: `${leaving[0]?.name} was applied before ${stuck.name} and is no longer among the migrations`,
    };
  for (const [index, { name, checksum }] of staying.entries()) {
    const one = wanted[index];
    if (one?.name !== name)
      return {
        why: `${one?.name ?? 'nothing'} is in the position where ${name} was applied; new migrations go to the end`,
      };
    if (checksumOf(one) !== checksum)
      return {
        why: `${name} was applied with another text; write a new migration, and leave this one as it was`,
      };
  }
  const fixed = leaving.find(({ name }) => !undoable.has(name));
  if (fixed !== undefined)
    return {
      why: `${fixed.name} was applied, is no longer among the migrations, and has no "down" that undoes it`,
    };
  return { undo: leaving.map(({ name }) => name).reverse(), apply: wanted.slice(staying.length) };
}
