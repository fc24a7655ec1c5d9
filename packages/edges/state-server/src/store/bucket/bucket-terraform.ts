import { ORGANIZATION } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import type { BlobStore } from '@cairn/blobs';
import type { TerraformVersionRow } from '@cairn/http-api';
import type { TerraformRecord, TerraformStore } from '../terraform-store.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';
import { editKeyOfRecord, putKeyedRecord } from './keyed-records.js';

/** States of Terraform in a bucket: a record for each, which names its newest version, and files of versions. */
export function bucketTerraform(blobs: BlobStore, documents: Documents): TerraformStore {
  return {
    list: async ({ organization, project }) => {
      const folder = keys.terraform(organization);
      const found = await blobs.list(project === undefined ? folder : `${folder}${project}/`);
      return found.map(({ key }) => idOf(organization, key.slice(folder.length)));
    },
    find: (name) => documents.get<TerraformRecord>(keys.terraformRecord(name)),
    put: (name, record) => putKeyedRecord(documents, keys.terraformRecord(name), record),
    editKey: (name, edit) => editKeyOfRecord(documents, keys.terraformRecord(name), edit),
    remove: async (name, { id }) => {
      await documents.remove(keys.terraformRecord(name));
      // Without the record nothing names them.
      for (const { key } of await blobs.list(keys.terraformVersions(id))) await blobs.delete(key);
    },
    putVersion: async ({ id }, row, sealed) => {
      const key = keys.terraformVersion(id, row.version);
      if (sealed !== undefined) await blobs.put(`${key}.sealed`, sealed);
      await documents.put(`${key}.json`, row);
    },
    versions: async ({ id }, { from, count }) => {
      const numbers = Array.from({ length: Math.min(count, from) }, (_each, index) => from - index);
      const rows = await Promise.all(
        numbers.map((number) =>
          documents.get<TerraformVersionRow>(`${keys.terraformVersion(id, number)}.json`),
        ),
      );
      return rows.filter((row) => row !== undefined);
    },
    sealedVersion: async ({ id }, number) => {
      const key = keys.terraformVersion(id, number);
      const row = await documents.get<TerraformVersionRow>(`${key}.json`);
      return row?.bytes === 0 ? undefined : (await blobs.get(`${key}.sealed`))?.bytes;
    },
  };
}

function idOf(organization: string, key: string): StackId {
  const [project = '', file = ''] = key.split('/');
  return {
    ...(organization !== ORGANIZATION && { organization }),
    project,
    stack: file.replace(/\.json$/, ''),
  };
}
