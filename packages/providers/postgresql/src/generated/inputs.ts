// Written by tools/provider-classes.mjs from the schema of the provider.
/** Object types as programs give them: any part may be an output. */
import type { Input } from '@cairn/sdk';

export interface PostgresqlMigrationsMigrations {
  /** SQL that undoes it. Absent: it cannot be undone. */
  readonly down?: Input<string> | undefined;
  /** Unique name. */
  readonly name: Input<string>;
  /** SQL that makes the change. */
  readonly up: Input<string>;
}
