import pg from 'pg';
import { TestDatabases, postgresKind, run, why } from './postgres-kind.js';
import { S, endServices, newFolder, startTestService, storeTest, useStore } from './service.js';

afterEach(endServices);
const databases = new TestDatabases();
useStore(postgresKind(databases), why);

/** Calls that wait for the database. They are more than its connections. */
const WAITING = 60;

storeTest('calls wait for a database that is slow, and others are answered meanwhile', async () => {
  const folder = newFolder();
  const service = await startTestService(folder);
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const url = await databases.url(folder);
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  await session.query('begin; lock table cairn.stacks in access exclusive mode');
  let answered = 0;
  const calls = Array.from({ length: WAITING }, async (_, index) => {
    const answer = await service.call('PATCH', `${S}/tags`, { body: { [`tag-${index}`]: 'x' } });
    answered += 1;
    return answer.status;
  });
  const blocked = async (): Promise<number> => {
    const rows = await run(url, "select 1 from pg_stat_activity where wait_event_type = 'Lock'");
    return rows.length;
  };
  while ((await blocked()) === 0) await new Promise((resolve) => setImmediate(resolve));
  expect((await service.call('GET', '/healthz')).status).toBe(200);
  expect(answered).toBe(0);
  await session.query('commit');
  await session.end();
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
  // Each call replaces the tags.
  const { tags } = (await service.call('GET', S)).body as { tags: Record<string, string> };
  expect(Object.keys(tags).filter((name) => name.startsWith('tag-'))).toHaveLength(1);
});
