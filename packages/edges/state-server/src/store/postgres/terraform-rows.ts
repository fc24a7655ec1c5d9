import type { TerraformLockInfo, TerraformVersionRow } from '@cairn/http-api';
import type { WrappedKey } from '../../crypto/stack-keys.js';
import type { TerraformStore } from '../terraform-store.js';
import { NAMED, editKeyOfRow, namedStack, nameValues } from './stack-rows.js';
import type { NamedRow, RowPorts } from './stack-rows.js';
import type { BlobRef } from './state-blobs.js';

interface RecordRow {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly lock: string | null;
}

/** States of Terraform, as rows and blobs. */
export function rowsOfTerraform({ db, blobs, afterCommit }: RowPorts): TerraformStore {
  return {
    list: async ({ organization, project }) => {
      const { rows } = await db.query<NamedRow>(
        `select org, project, name from cairn.terraform_states
          where org = $1 and ($2::text is null or project = $2) order by project, name`,
        [organization, project ?? null],
      );
      return rows.map(namedStack);
    },
    find: async (name) => {
      const { rows } = await db.query<RecordRow>(
        `select id, wrapped_key as key, version, lock from cairn.terraform_states where ${NAMED}`,
        nameValues(name),
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const { id, key, version, lock } = row;
      const held = lock === null ? {} : { lock: JSON.parse(lock) as TerraformLockInfo };
      return { id, key: JSON.parse(key) as WrappedKey, version, ...held };
    },
    put: async (name, { id, key, version, lock }) =>
      void (await db.query(
        `insert into cairn.terraform_states (org, project, name, id, wrapped_key, version, lock)
         values (($1::text[])[1], ($1::text[])[2], $2, $3, $4, $5, $6)
         on conflict (id) do update set version = excluded.version,
           lock = excluded.lock`,
        [
          ...nameValues(name),
          id,
          JSON.stringify(key),
          version,
          lock === undefined ? null : JSON.stringify(lock),
        ],
      )),
    editKey: (name, edit) => editKeyOfRow(db, 'terraform_states', name, edit),
    remove: async (_name, { id }) => {
      await db.query('delete from cairn.terraform_states where id = $1', [id]);
      // Failing to remove the rest is no reason to fail: the state is gone.
      afterCommit(() => blobs.removeAll(id).catch(() => undefined));
    },
    putVersion: async ({ id }, row, sealed) => {
      const ref = sealed && (await blobs.put(id, sealed));
      await db.query(
        `insert into cairn.terraform_versions (state, version, entry, blob, sha256)
         values ($1, $2, $3, $4, $5)`,
        [id, row.version, JSON.stringify(row), ref?.blob ?? null, ref?.sha256 ?? null],
      );
    },
    versions: async ({ id }, { from, count }) => {
      const { rows } = await db.query<{ entry: string }>(
        `select entry from cairn.terraform_versions
          where state = $1 and version <= $2 order by version desc limit $3`,
        [id, from, count],
      );
      return rows.map(({ entry }) => JSON.parse(entry) as TerraformVersionRow);
    },
    sealedVersion: async ({ id }, version) => {
      const { rows } = await db.query<BlobRef>(
        'select blob, sha256 from cairn.terraform_versions where state = $1 and version = $2 and blob is not null',
        [id, version],
      );
      return rows[0] && blobs.get(rows[0]);
    },
  };
}
