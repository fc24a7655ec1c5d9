import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Administration, verifyAudit } from '../src/index.js';
import type { ServiceStore } from '../src/index.js';
import { TestDatabases, postgresKind, run, why } from './postgres-kind.js';
import { bucketKind, endServices, newFolder } from './service.js';
import type { StoreKind } from './service.js';

const databases = new TestDatabases();
afterEach(endServices);
afterAll(() => databases.close());

/** Ways to change a log behind the back of the service. Rows have the numbers 1 to 5. */
interface Tampering {
  readonly kind: StoreKind;
  readonly why: string | undefined;
  alter(folder: string): Promise<void>;
  remove(folder: string, seq: number): Promise<void>;
  /** Puts a copy of the third row behind the last one. */
  insert(folder: string): Promise<void>;
}

function rowFile(folder: string, seq: number): string {
  return path.join(folder, '.pulumi/service/audit', `${String(seq).padStart(12, '0')}.json`);
}

async function sql(folder: string, text: string): Promise<void> {
  await run(await databases.url(folder), text);
}

const STORES: Readonly<Record<string, Tampering>> = {
  bucket: {
    ...{ kind: bucketKind, why: undefined },
    alter: async (folder) => {
      const text = readFileSync(rowFile(folder, 2), 'utf8');
      writeFileSync(rowFile(folder, 2), text.replace('name-2', 'name-9'));
    },
    remove: async (folder, seq) => rmSync(rowFile(folder, seq)),
    insert: async (folder) => writeFileSync(rowFile(folder, 6), readFileSync(rowFile(folder, 3))),
  },
  PostgreSQL: {
    ...{ kind: postgresKind(databases), why },
    alter: (folder) =>
      sql(folder, "update cairn.audit set row = replace(row, 'name-2', 'name-9') where seq = 2"),
    remove: (folder, seq) => sql(folder, `delete from cairn.audit where seq = ${seq}`),
    insert: (folder) =>
      sql(folder, 'insert into cairn.audit select 6, row, hash from cairn.audit where seq = 3'),
  },
};

/** Does work with a store that has five rows, opened again as a command does. */
async function withLog(
  { kind }: Tampering,
  tamper: (folder: string) => Promise<void>,
  check: (store: ServiceStore) => Promise<unknown>,
): Promise<unknown> {
  const folder = newFolder();
  const { store } = await kind.open(folder);
  const ports = { store, now: () => new Date(), newId: () => 'x', by: 'root' };
  for (const count of [1, 2, 3, 4, 5])
    await new Administration(ports).newOrganization(`name-${count}`, undefined);
  await tamper(folder);
  await store.close();
  const again = (await kind.open(folder)).store;
  try {
    return await check(again);
  } finally {
    await again.close();
  }
}

for (const [name, store] of Object.entries(STORES)) {
  const storeTest = store.why === undefined ? test : test.skip;
  const faultAfter = (tamper: (folder: string) => Promise<void>): Promise<unknown> =>
    withLog(store, tamper, async (opened) => (await verifyAudit(opened)).fault ?? 'none');

  storeTest(`${name}: a check of the audit log finds what was done to it`, async () => {
    expect(await faultAfter(async () => undefined)).toBe('none');
    expect(await faultAfter((folder) => store.alter(folder))).toBe('row 2 was altered');
    expect(await faultAfter((folder) => store.remove(folder, 3))).toBe('row 3 is missing');
    expect(await faultAfter((folder) => store.remove(folder, 1))).toBe('row 1 is missing');
    expect(await faultAfter((folder) => store.insert(folder))).toMatch(/^row [36] /);
  });

  storeTest(
    `${name}: rows that were removed at the end are missed by a check that knows an earlier one`,
    async () => {
      const earlier = await withLog(store, async () => undefined, verifyAudit);
      const found = await withLog(
        store,
        (folder) => store.remove(folder, 5),
        (opened) => verifyAudit(opened, earlier as { seq: number; hash: string }),
      );
      expect(found).toMatchObject({ seq: 4, passed: false });
    },
  );
}

test('the folder of the log has one file for each row', async () => {
  const folder = newFolder();
  const { store } = await bucketKind.open(folder);
  await new Administration({ store, now: () => new Date(), newId: () => 'x', by: 'root' }).newOrganization(
    'acme',
    'ann-user',
  );
  await store.close();
  expect(readdirSync(path.join(folder, '.pulumi/service/audit'))).toEqual(['000000000001.json']);
});
