import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { SqlMigration } from './plan.js';

/**
 * Returns the migrations of a folder, in the order of their names. `0001_orders.sql` makes a change; the optional
 * `0001_orders.down.sql` undoes it. `folder` is relative to the directory that the program runs in. Throws for a
 * `.down.sql` without a migration.
 */
export function readMigrations(folder: string): readonly SqlMigration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const text = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const downs = new Set(files.filter((file) => file.endsWith('.down.sql')));
  const names = files.filter((file) => !downs.has(file)).map((file) => file.slice(0, -'.sql'.length));
  const lost = [...downs].find((file) => !names.includes(file.slice(0, -'.down.sql'.length)));
  if (lost !== undefined)
    throw new RangeError(
      `${path.join(folder, lost)} undoes nothing: there is no ${lost.replace('.down.sql', '.sql')}`,
    );
  return names
    .sort()
    .map((name) =>
      downs.has(`${name}.down.sql`)
        ? { name, up: text(`${name}.sql`), down: text(`${name}.down.sql`) }
        : { name, up: text(`${name}.sql`) },
    );
}
