import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import type { ServiceStore } from '../src/index.js';
import {
  MANIFEST,
  S,
  endServices,
  isShared,
  resource,
  startUpdate,
  startWithStacks,
  storeTest,
} from './service.js';

afterEach(endServices);

const CREATE = '/api/stacks/organization/shop';
const PLACE = '/srv/secret-place';
const FAULTS: readonly (readonly [string, () => Error, number])[] = [
  ['full', () => cairnError('CAIRN-STORE-FULL', `cannot write ${PLACE}: no space`), 503],
  ['down', () => cairnError('CAIRN-STORE-UNAVAILABLE', `cannot reach ${PLACE}`), 503],
  ['read-only', () => cairnError('CAIRN-STORE-READ-ONLY', `cannot write ${PLACE}`), 503],
  ['broken', () => new Error(`broken at ${PLACE}`), 500],
];

/** Store that fails from the write of a number on, while a fault is set. */
class FaultyStore {
  fault: (() => Error) | undefined;
  after = 0;

  over<T extends object>(store: T): T {
    return new Proxy(store, {
      get: (target, name: string) => {
        const value = target[name as keyof T] as unknown;
        if (name === 'notes') return value && this.over(value as object);
        if (typeof value !== 'function') return value;
        const call = value.bind(target) as (...args: unknown[]) => unknown;
        if (name === 'turn')
          return (stacks: unknown, work: (inner: object) => unknown) =>
            call(stacks, (inner: object) => work(this.over(inner)));
        if (!/^(?:put|store|append|create|rename|setTags|lock)/.test(name)) return call;
        return (...args: unknown[]) => {
          if (this.fault !== undefined && this.after-- <= 0) return Promise.reject(this.fault());
          return call(...args);
        };
      },
    });
  }
}

storeTest.each(FAULTS)(
  'a store that is %s answers with a code, keeps what it had, and works again afterwards',
  async (_name, fault, status) => {
    const faulty = new FaultyStore();
    const service = await startWithStacks({
      ...{ stacks: ['dev', 'prod'], states: [['a']] },
      store: (store: ServiceStore) => faulty.over(store),
    });
    const { call } = service;
    const { route, auth } = await startUpdate(service, { stack: 'prod' });
    const entries = [
      {
        ...{ version: 1, kind: 0, sequenceID: 1, operationID: 1 },
        operation: { resource: resource('p'), type: 'creating' },
      },
    ];
    const calls: readonly (readonly [string, string, object, string?])[] = [
      ['POST', CREATE, { stackName: 'other' }],
      ['PATCH', `${S}/tags`, { a: 'b' }],
      ['POST', `${S}/import`, { version: 3, deployment: { manifest: MANIFEST, resources: [] } }],
      ['POST', `${S}/update`, {}],
      ['PATCH', `${route}/journalentries`, { entries }, auth],
      ['POST', `${route}/events/batch`, { events: [{ sequence: 1 }] }, auth],
      ['POST', `${route}/complete`, { status: 'succeeded' }, auth],
    ];
    const before = (await call('GET', `${S}/export`)).text;
    for (const [method, path_, body, holder] of calls) {
      Object.assign(faulty, { fault, after: 0 });
      const answer = await call(method, path_, { body, ...(holder !== undefined && { auth: holder }) });
      faulty.fault = undefined;
      expect([path_, answer.status, answer.body['code']]).toEqual([path_, status, status]);
      expect(answer.text).not.toContain(PLACE);
      expect((await call('GET', `${S}/export`)).text).toBe(before);
    }
    expect(service.lines.join('')).toContain(PLACE);
    for (const [method, path_, body, holder] of calls)
      expect([
        path_,
        (await call(method, path_, { body, ...(holder !== undefined && { auth: holder }) })).status,
      ]).toEqual([...[path_, 200]]);
  },
);

storeTest('a blob that is lost fails its own stack, with a code, and no other', async () => {
  if (!isShared()) return;
  const service = await startWithStacks({ stacks: ['dev', 'prod'] });
  const { id } = (await service.call('GET', S)).body;
  rmSync(path.join(service.folder, 'stacks', String(id)), { recursive: true });
  const lost = await service.call('GET', `${S}/export`);
  expect([lost.status, lost.body['code'], lost.text.includes('stacks/')]).toEqual([500, 500, false]);
  expect(service.lines.join('')).toContain('CAIRN-STATE-CORRUPT');
  expect((await service.call('GET', `${S.slice(0, -3)}prod/export`)).status).toBe(200);
  expect((await service.call('GET', '/api/user/stacks')).status).toBe(200);
});

/** Service with the states of two imports, and how to spoil the newest one as a store of blobs might. */
async function withTwoVersions() {
  const service = await startWithStacks();
  const { call } = service;
  const folder = path.join(service.folder, 'stacks', String((await call('GET', S)).body['id']));
  const importOf = (name: string) =>
    call('POST', `${S}/import`, {
      body: { version: 3, deployment: { manifest: MANIFEST, resources: [resource(name)] } },
    });
  expect((await importOf('a')).status).toBe(200);
  const before = new Set(readdirSync(folder));
  expect((await importOf('b')).status).toBe(200);
  const made = readdirSync(folder).filter((name) => !before.has(name));
  expect(made).toHaveLength(1);
  return { service, call, importOf, blob: path.join(folder, String(made[0])) };
}

storeTest.each<[string, (blob: string) => void]>([
  ['lost', (blob) => rmSync(blob)],
  ['cut off', (blob) => writeFileSync(blob, readFileSync(blob).subarray(0, 100))],
])(
  'a state that was acknowledged and %s is noticed, and an older one takes its place',
  async (_how, spoil) => {
    if (!isShared()) return;
    const { service, call, importOf, blob } = await withTwoVersions();
    const newest = (await call('GET', `${S}/export`)).text;
    spoil(blob);
    const created = await call('POST', `${S}/update`, { body: {} });
    const refused = [
      await call('GET', `${S}/export`),
      await call('GET', `${S}/export/2`),
      await call('POST', `${S}/update/${String(created.body['updateID'])}`, { body: { journalVersion: 1 } }),
    ];
    expect(refused.map(({ status, body }) => [status, body['code']])).toEqual(refused.map(() => [500, 500]));
    expect(refused[0]?.body['message']).toContain('has lost or damaged a state');
    expect(service.lines.join('')).toContain('CAIRN-STATE-CORRUPT');
    // Nothing holds the stack, its history is whole, and no state took the place of the lost one.
    expect((await call('GET', S)).body['currentOperation']).toBeUndefined();
    const { updates } = (await call('GET', `${S}/updates`)).body as { readonly updates: readonly object[] };
    expect(updates).toHaveLength(2);
    const older = (await call('GET', `${S}/export/1`)).text;
    expect((await call('POST', `${S}/import`, { body: JSON.parse(older) as object })).status).toBe(200);
    expect((await call('GET', `${S}/export`)).text).toBe(older);
    const { route } = await startUpdate(service);
    expect((await call('POST', `${route}/cancel`)).status).toBe(200);
    // The same state again is stored again, although its name is taken.
    expect((await importOf('b')).status).toBe(200);
    expect((await call('GET', `${S}/export`)).text).toBe(newest);
  },
);
