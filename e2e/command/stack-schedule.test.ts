import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { NOTES, noteText } from '../support/notes.js';
import { startServiceHere } from '../support/service-here.js';
import type { ServiceHere } from '../support/service-here.js';

let box: Sandbox;
let service: ServiceHere;

beforeAll(async () => {
  box = sandbox({
    ...NOTES,
    'index.ts': `import { CustomResource } from '@cairn/sdk'; new CustomResource('notes:index:Note', 'page', { file: 'page.json', text: 'one' });`,
  });
  service = await startServiceHere(box);
  box.env['CAIRN_ACCESS_TOKEN'] = await service.token('writer');
  expectOk(await cairn('stack', 'init', 'dev'));
});
afterAll(async () => {
  await service.stop();
  box.remove();
});

const cairn = (...words: readonly string[]): Promise<Finished> =>
  box.cairn(words, { env: { CAIRN_BACKEND_URL: service.url } });
const schedule = (...words: readonly string[]): Promise<Finished> => cairn('stack', 'schedule', ...words);

async function json<T>(...words: readonly string[]): Promise<T> {
  return JSON.parse(expectOk(await cairn(...words, '--json')).stdout) as T;
}

interface Shown {
  readonly id: string;
}

const made = (...words: readonly string[]): Promise<Shown> => json('stack', 'schedule', 'new', ...words);
const ONCE = '2099-01-01T00:00:00Z';

test('schedules need settings of deployments first', async () => {
  const refused = await schedule('new', '--kind', 'drift', '--cron', '5 * * * *');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('The stack has no deployment settings.');
});

describe('with settings', () => {
  beforeAll(async () => {
    const url = `${service.url}/api/stacks/organization/shop/dev/deployments/settings`;
    const headers = {
      authorization: `token ${box.env['CAIRN_ACCESS_TOKEN']}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({
      sourceContext: { git: { repoUrl: 'https://example.com/a.git', branch: 'main' } },
    });
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  });

  test.each([
    [
      ['--kind', 'raw', '--operation', 'refresh', '--cron', '0 */4 * * *'],
      { type: 'raw', settings: 'pulumi refresh', schedule: '0 */4 * * *' },
      ['refresh', '0 */4 * * *'],
    ],
    [
      ['--kind', 'drift', '--cron', '5 * * * *', '--auto-remediate'],
      { type: 'drift', settings: 'detect + auto-remediate', schedule: '5 * * * *' },
      ['look for drift, put it back', '5 * * * *'],
    ],
    [
      ['--kind', 'drift', '--cron', '0 12 1 7 *', '--zone', 'Europe/Berlin', '--jitter', '10m'],
      { type: 'drift', schedule: '0 12 1 7 *', zone: 'Europe/Berlin', jitter: '10m' },
      ['0 12 1 7 *, in Europe/Berlin, up to 10m later', '-07-01T10:'],
    ],
    [
      ['--kind', 'ttl', '--once', ONCE, '--delete-after-destroy'],
      { type: 'ttl', settings: 'destroy + delete stack', schedule: 'Once' },
      ['destroy, remove the stack', 'once, 2099-01-01T00:00:00'],
    ],
  ])('new %j', async (words, shown, texts) => {
    const { id } = await made(...words);
    expect(await json('stack', 'schedule', 'get', id)).toMatchObject({ id, ...shown });
    const { stdout } = expectOk(await schedule('ls'));
    expect(stdout).toMatch(/^ID +KIND +DOES +WHEN +NEXT +LAST\n/);
    for (const text of texts) expect(stdout).toContain(text);
    expect(expectOk(await schedule('rm', id, '--yes')).stderr).toContain(`Removed schedule ${id}`);
    expect(await json('stack', 'schedule', 'ls')).toEqual({ schedules: [] });
  });

  test('edit changes what its flags name; pause and resume hold a schedule', async () => {
    const { id } = await made('--kind', 'raw', '--operation', 'update', '--cron', '0 1 * * *');
    const edit = (...words: readonly string[]) => json('stack', 'schedule', 'edit', id, ...words);
    expect(await edit('--operation', 'preview')).toMatchObject({
      ...{ settings: 'pulumi preview', schedule: '0 1 * * *' },
    });
    expect(await edit('--once', ONCE)).toMatchObject({ settings: 'pulumi preview', schedule: 'Once' });
    expectOk(await schedule('pause', id));
    expect(await json('stack', 'schedule', 'get', id)).toMatchObject({ paused: true });
    expect(expectOk(await schedule('get', id)).stdout).toMatch(/^Next: +paused$/m);
    expectOk(await schedule('resume', id));
    expect(await json('stack', 'schedule', 'get', id)).not.toHaveProperty('paused');
    expectOk(await schedule('rm', id, '--yes'));

    const raw = ['--kind', 'raw', '--operation', 'update'];
    const zoned = await made(...raw, '--cron', '0 1 * * *', '--zone', 'Asia/Tokyo');
    const change = (...words: readonly string[]) => json('stack', 'schedule', 'edit', zoned.id, ...words);
    const tokyo = { zone: 'Asia/Tokyo', jitter: '5m' };
    expect(await change('--jitter', '5m')).toMatchObject({ schedule: '0 1 * * *', ...tokyo });
    expect(await change('--cron', '0 2 * * *')).toMatchObject({ schedule: '0 2 * * *', ...tokyo });
    const once = await change('--once', ONCE);
    expect([once, Object.keys(once as object)]).toEqual([
      expect.objectContaining({ schedule: 'Once' }),
      expect.not.arrayContaining(['zone', 'jitter']),
    ]);
    const refused = await schedule('edit', zoned.id, '--zone', 'Asia/Tokyo');
    expect(refused.stderr).toContain('cannot change the schedule: one for once has no --zone');
    expectOk(await schedule('rm', zoned.id, '--yes'));

    const drift = await made('--kind', 'drift', '--cron', '5 * * * *');
    const remediates = await json('stack', 'schedule', 'edit', drift.id, '--auto-remediate');
    expect(remediates).toMatchObject({ settings: 'detect + auto-remediate', schedule: '5 * * * *' });
    const again = await json('stack', 'schedule', 'edit', drift.id, '--auto-remediate=false');
    expect(again).toMatchObject({ settings: 'detect' });
    expectOk(await schedule('rm', drift.id, '--yes'));
  });

  test.each([
    [['new', '--cron', '5 * * * *'], '--kind is missing'],
    [['new', '--kind', 'raw', '--cron', '5 * * * *'], '--operation is missing'],
    [['new', '--kind', 'raw', '--operation', 'update'], '--cron or --once is missing'],
    [['new', '--kind', 'drift', '--once', ONCE], 'one of kind drift has no --once'],
    [['new', '--kind', 'ttl', '--once', ONCE, '--auto-remediate'], 'one of kind ttl has no --auto-remediate'],
    [
      ['new', '--kind', 'raw', '--operation', 'update', '--cron', '* * * * *', '--once', ONCE],
      'exclude each other',
    ],
    [['new', '--kind', 'drift', '--cron', '0 0 30 2 *'], 'scheduleCron:'],
    [['new', '--kind', 'drift', '--cron', '5 * * * *', '--zone', 'Mars/Base'], 'cairn.zone:'],
    [['new', '--kind', 'drift', '--cron', '5 * * * *', '--jitter', 'soon'], 'cairn.jitter:'],
    [['new', '--kind', 'ttl', '--once', ONCE, '--zone', 'UTC'], 'one of kind ttl has no --zone'],
    [
      ['new', '--kind', 'raw', '--operation', 'update', '--once', ONCE, '--jitter', '10m'],
      'one for once has no --jitter',
    ],
    [['new', '--kind', 'ttl', '--once', 'tomorrow'], 'is no RFC 3339 time'],
    [['get', 'nope'], '404'],
    [['rm', 'x'], 'needs a confirmation'],
  ])('%j is refused', async (words, why) => {
    const refused = await schedule(...words);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(why);
    expect(await json('stack', 'schedule', 'ls')).toEqual({ schedules: [] });
  });
});

test('looks for drift are listed, and the last one tells the status', async () => {
  expect(expectOk(await cairn('stack', 'drift', 'status')).stdout).toMatch(/^Drift: +not looked$/m);
  expectOk(await cairn('up', '--yes', '--skip-preview'));
  expectOk(await cairn('refresh', '--preview-only'));
  expect(await json('stack', 'drift', 'status')).toMatchObject({
    driftDetected: false,
    runInProgress: false,
  });
  box.write('page.json', noteText('two', 'ada'));
  expectOk(await cairn('refresh', '--preview-only'));
  const status = expectOk(await cairn('stack', 'drift', 'status')).stdout;
  expect(status).toMatch(/^Drift: +yes$/m);
  expect(status).toMatch(/^urn:\S+::page {2}update {2}text {2}since 2\S+Z {2}last changed by ada$/m);
  const { driftRuns, total } = await json<{ readonly driftRuns: readonly object[]; readonly total: number }>(
    ...['stack', 'drift', 'ls', '--all'],
  );
  expect(total).toBe(2);
  const resource = { kind: 'update', keys: ['text'], says: ['last changed by ada'] };
  expect(driftRuns[0]).toMatchObject({ cairn: { resources: [resource] } });
  expect(await json('stack', 'drift', 'status')).toMatchObject({ resources: [resource] });
  expect(driftRuns.map((run) => (run as { driftDetected: boolean }).driftDetected).sort()).toEqual([
    false,
    true,
  ]);
  expect(await json('stack', 'drift', 'ls', '--count', '1')).toMatchObject({ count: 1, total: 2 });
  expect(expectOk(await cairn('stack', 'drift', 'ls')).stdout).toMatch(/ succeeded +1 differ /);
  expect((await cairn('stack', 'drift', 'ls', '--all', '--count', '1')).stderr).toContain(
    'exclude each other',
  );
});

test('a bucket has neither', async () => {
  expectOk(await box.cairn(['stack', 'init', 'local']));
  expect((await box.cairn(['stack', 'schedule', 'ls'])).stderr).toContain('cannot use schedules');
  expect((await box.cairn(['stack', 'drift', 'ls'])).stderr).toContain('is not a state service');
});
