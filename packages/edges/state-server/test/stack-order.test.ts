import { makeToken } from '../src/index.js';
import { endServices, newFolder, startTestService, storeTest } from './service.js';
import type { Answer } from './service.js';

afterEach(endServices);

const PROJECT = '/api/stacks/organization/shop';
const PLAN = { digest: 'd1', base: 'b1', steps: [] };

interface Claimed {
  readonly deployment: string;
  readonly stack: string;
  readonly fence: number;
  readonly row: Readonly<Record<string, unknown>>;
}

const after = (...names: readonly string[]) => ({ cairn: { after: names.map((name) => `shop/${name}`) } });

/** Service with the stacks `app` and `net`; `app` comes after `net`. `now` is the wall clock. */
async function world() {
  let skew = 0;
  const now = (): Date => new Date(Date.now() + skew);
  const service = await startTestService(newFolder(), { now });
  const call = (method: string, route: string, body?: object, auth?: string): Promise<Answer> =>
    service.call(method, route, {
      ...(body !== undefined && { body }),
      ...(auth !== undefined && { auth: `token ${auth}` }),
    });
  const addStack = (stackName: string): Promise<Answer> => call('POST', PROJECT, { stackName });
  await addStack('app');
  await addStack('net');
  const settle = (stack: string, settings: object, auth?: string): Promise<Answer> =>
    call('POST', `${PROJECT}/${stack}/deployments/settings`, settings, auth);
  expect((await settle('app', after('net'))).status).toBe(200);
  const ask = async (stack: string, operation: string): Promise<string> => {
    const asked = await call('POST', `${PROJECT}/${stack}/deployments`, { operation });
    return `${PROJECT}/${stack}/deployments/${String(asked.body['id'])}`;
  };
  /** Returns what a deployment waits for before an agent may take it. */
  const waitsFor = async (route: string): Promise<string | undefined> => {
    const { waitsFor: what } = (await call('GET', route)).body['cairn'] as { readonly waitsFor?: string };
    return what?.startsWith('an agent') === true ? undefined : what;
  };
  /** Returns the run that an agent gets a second later, or `none`. */
  const claim = async (): Promise<Claimed | 'none'> => {
    skew += 1000;
    await service.pass(1000);
    const { body } = await call('POST', '/api/orgs/organization/agents/claim', { agent: 'one' });
    return (body['run'] as Claimed | null | undefined) ?? 'none';
  };
  const report = ({ stack, deployment, fence, row }: Claimed, ...statuses: readonly string[]) =>
    call('POST', `${PROJECT}/${stack}/deployments/${deployment}/attend`, {
      ...{ agent: 'one', fence, rows: statuses.map((status) => ({ ...row, ...PLAN, status })) },
    });
  /** Token of a user who may write on some stacks only. */
  const limited = (...stacks: readonly string[]): Promise<string> =>
    makeToken({ ...service, now }, { user: 'ann', name: 'some', role: 'writer', stacks });
  return { addStack, settle, ask, waitsFor, claim, report, limited, call };
}

storeTest('an update waits for those of the stacks that it comes after, and says for which', async () => {
  const { ask, waitsFor, claim, report } = await world();
  const net = await ask('net', 'update');
  const app = await ask('app', 'update');
  expect([await waitsFor(net), await waitsFor(app)]).toEqual([undefined, 'run 1 of shop/net']);
  const first = (await claim()) as Claimed;
  expect(first.stack).toBe('net');
  expect(await claim()).toBe('none');
  // A newer update of the earlier stack is in the way as well.
  await ask('net', 'update');
  await report(first, 'failed');
  const second = (await claim()) as Claimed;
  expect([second.stack, await waitsFor(app)]).toEqual(['net', 'run 2 of shop/net']);
  await report(second, 'ready', 'applying', 'succeeded');
  expect(await claim()).toMatchObject({ stack: 'app', row: { kind: 'up', status: 'planning' } });
});

storeTest('an update waits behind one that is queued itself, and for no other operation', async () => {
  const { ask, waitsFor, claim, report } = await world();
  await ask('net', 'refresh');
  const refresh = (await claim()) as Claimed;
  await ask('net', 'update');
  const app = await ask('app', 'update');
  expect(await waitsFor(app)).toBe('request 2 of shop/net');
  await report(refresh, 'failed');
  const update = (await claim()) as Claimed;
  expect([update.stack, update.row['kind']]).toEqual(['net', 'up']);
  // A run that waits for an approval is not in the way.
  await report(update, 'waiting');
  expect(await claim()).toMatchObject({ stack: 'app', row: { kind: 'up' } });
  expect(await waitsFor(await ask('net', 'preview'))).toBeUndefined();
});

storeTest('other operations than updates do not wait, and a stack that is gone stops no update', async () => {
  const { ask, waitsFor, claim, call } = await world();
  await ask('net', 'update');
  expect(await claim()).toMatchObject({ stack: 'net' });
  await ask('app', 'preview');
  expect(await claim()).toMatchObject({ stack: 'app', row: { kind: 'preview' } });
  const app = await ask('app', 'update');
  expect((await call('DELETE', `${PROJECT}/net?force=true`)).status).toBeLessThan(300);
  expect(await waitsFor(app)).toBe('run 1');
});

storeTest('a circle is refused, and one that came about by new names stops nothing', async () => {
  const { addStack, settle, ask, waitsFor, call } = await world();
  await addStack('db');
  expect((await settle('net', after('db'))).status).toBe(200);
  for (const name of ['app', 'db'])
    expect([name, (await settle('db', after(name))).body['message']]).toEqual([
      ...[name, expect.stringContaining(`cairn.after: shop/${name} comes after shop/db already.`)],
    ]);
  // The name of a stack that others name goes to another one, which comes after these.
  await addStack('new');
  expect((await settle('new', after('app'))).status).toBe(200);
  expect((await call('DELETE', `${PROJECT}/db?force=true`)).status).toBeLessThan(300);
  const rename = { newName: 'db', newProject: 'shop' };
  expect((await call('POST', `${PROJECT}/new/rename`, rename)).status).toBeLessThan(300);
  await ask('net', 'update');
  expect(await waitsFor(await ask('app', 'update'))).toBeUndefined();
});

storeTest('settings name stacks that their writer can see; requests name none', async () => {
  const { addStack, settle, ask, waitsFor, limited, call } = await world();
  await addStack('db');
  const app = await limited('shop/app');
  expect((await settle('app', after('net', 'db'), app)).status).toBe(404);
  expect((await settle('app', after('net', 'none'))).status).toBe(404);
  // Who cannot see what others have named may change the rest.
  expect((await settle('app', { operationContext: { preRunCommands: ['ls'] } }, app)).status).toBe(200);
  for (const names of ['shop/net', ['shop/*'], ['net'], [7]])
    expect((await settle('app', { cairn: { after: names } })).body['message']).toContain('cairn.after:');
  await settle('app', { cairn: { after: null } });
  await ask('net', 'update');
  const asked = await call('POST', `${PROJECT}/app/deployments`, { operation: 'update', ...after('net') });
  expect(await waitsFor(`${PROJECT}/app/deployments/${String(asked.body['id'])}`)).toBeUndefined();
});
