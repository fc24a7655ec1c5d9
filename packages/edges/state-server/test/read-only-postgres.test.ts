import { S, endServices, newFolder, startTestService, storeTest, useStore } from './service.js';
import { TestDatabases, postgresKind, run, why } from './postgres-kind.js';

afterEach(endServices);
const databases = new TestDatabases();
useStore(postgresKind(databases), why);

storeTest(
  'a database that is read-only is answered with 503, and used again once it is writable',
  async () => {
    const folder = newFolder();
    const service = await startTestService(folder);
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
    const url = await databases.url(folder);
    const name = url.split('/').at(-1) ?? '';
    const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
      const change = `alter database "${name}" set default_transaction_read_only = ${value}`;
      await run(url.replace(/[^/]*$/, 'postgres'), change);
      // Sessions keep their setting, and broken ones are replaced.
      await run(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
      );
    };
    await setReadOnly('on');
    const tags = { body: { team: 'a' } };
    let refused = await service.call('PATCH', `${S}/tags`, tags);
    // The calls that meet a terminated session fail the same way.
    for (let tries = 0; tries < 20 && !service.lines.join('').includes('read-only transaction'); tries += 1)
      refused = await service.call('PATCH', `${S}/tags`, tags);
    expect([refused.status, refused.body['code'], service.lines.join('')]).toEqual([
      ...[503, 503, expect.stringContaining('read-only transaction') as string],
    ]);
    expect(refused.text).not.toContain('transaction');
    await setReadOnly('off');
    let status = 0;
    for (let tries = 0; tries < 20 && status !== 200; tries += 1)
      ({ status } = await service.call('PATCH', `${S}/tags`, tags));
    expect(status).toBe(200);
    expect((await service.call('GET', S)).body).toMatchObject({ tags: { team: 'a' } });
  },
);
