import { ROUTES } from '@cairn/http-api';
import type { Route, RouteName } from '@cairn/http-api';
import { MANIFEST, S, endServices, resource, startTestService, storeTest, startUpdate } from './service.js';

afterEach(endServices);

const ROWS = Object.entries(ROUTES) as [RouteName, Route][];
const COUNT = 500;

/** Bodies that a route takes, or nearly takes. */
const BODIES: readonly object[] = [
  { version: 3, deployment: { manifest: MANIFEST, resources: [resource('a')] } },
  {
    entries: [
      {
        version: 1,
        kind: 1,
        sequenceID: 7,
        operationID: 1,
        removeOld: null,
        removeNew: 0,
        state: resource('a'),
      },
    ],
  },
  { events: [{ sequence: 1, timestamp: 2, summaryEvent: { resourceChanges: { same: 1 } } }] },
  { stackName: 'other', tags: { a: 'b' }, state: { version: 3, deployment: { manifest: MANIFEST } } },
  { plaintexts: ['YQ==', null], ciphertexts: ['YQ=='], plaintext: 'YQ==', ciphertext: 'AAAA' },
  {
    options: { dryRun: true },
    config: { 'a:b': { string: 'x' } },
    metadata: { message: 'm', environment: {} },
  },
  { journalVersion: 1, duration: 300, status: 'failed', newName: 'x', newProject: 'y' },
];

/** Pieces that are put into bodies and paths. */
const ODD = [
  '',
  '\u0000',
  '{',
  ']',
  '"',
  '__proto__',
  '-1',
  '1e999',
  '9007199254740993',
  '../..',
  'null',
  '\\ud800',
  '%2e%2e',
  '%00',
  '//',
  '?a=b',
];

/** Numbers from 0 to below `limit`, the same in every run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

storeTest(`${COUNT} mutated requests each get an answer with a code, and the service stays up`, async () => {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const { id, auth } = await startUpdate(service);
  const next = numbers(7);
  const pick = <T>(items: readonly T[]): T => items[next(items.length)] as T;
  const mutate = (text: string): string => {
    const at = next(text.length + 1);
    return text.slice(0, at) + pick(ODD) + text.slice(at + next(4));
  };
  const names: Readonly<Record<string, string>> = {
    org: 'organization',
    project: 'shop',
    stack: 'dev',
    update: id,
    version: '1',
  };
  for (let count = 0; count < COUNT; count += 1) {
    const [name, route] = pick(ROWS);
    const whole = route.path.replace(
      /\{(\w+)(?::(\w+)[\w|]*)?\}/g,
      (_all, key: string, word?: string) => word ?? names[key] ?? key,
    );
    const path = next(3) === 0 ? `/${mutate(whole.slice(1))}` : whole;
    const body = JSON.stringify(pick(BODIES));
    // Without the lease of the update and its stack there would soon be nothing to call.
    if (name === 'completeUpdate' || name === 'cancelUpdate' || name === 'deleteStack') continue;
    const answer = await service.call(route.method, path, {
      auth: route.needs === 'update' ? auth : `token ${service.token}`,
      ...(route.method === 'GET' || route.method === 'DELETE'
        ? {}
        : { raw: next(4) === 0 ? body : mutate(body), gzip: next(2) === 0 }),
    });
    expect([name, path, answer.status < 500]).toEqual([name, path, true]);
    if (answer.status >= 400) expect([name, path, answer.body['code']]).toEqual([name, path, answer.status]);
  }
  expect((await service.call('GET', S)).body).toMatchObject({ stackName: 'dev', activeUpdate: id });
});
