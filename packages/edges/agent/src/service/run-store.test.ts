import { RUN_LEASE_SECONDS } from '@cairn/http-api';
import type { RunRow } from '@cairn/changes-daemon';
import { REPORT_MS, ServiceRunStore } from './run-store.js';
import { RefusedByService } from './service-api.js';
import type { ServiceApi } from './service-api.js';

const HOUR = 3_600_000;
const ROW: RunRow = {
  ...{ id: '1', stack: 'dev', kind: 'up', request: '1', by: 'ann', status: 'planning' },
  ...{ began: '2026-01-01T00:00:00Z', why: [], approvals: [], needed: 0 },
};
const PLACE = { organization: 'acme', project: 'shop', stack: 'dev', deployment: '1' };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Store of a run whose service answers while `answers` is true. */
function world() {
  const service = { answers: true, refuses: false, calls: 0 };
  const lost: string[] = [];
  const attend = async (): Promise<void> => {
    service.calls += 1;
    if (service.refuses) throw new RefusedByService(409, 'another agent has it');
    if (!service.answers) throw new Error('no answer');
  };
  const store = new ServiceRunStore({
    ...{ api: { attend } as unknown as ServiceApi, agent: 'one', place: PLACE, fence: 1, row: ROW },
    onLost: (why) => void lost.push(why),
  });
  return { service, lost, store };
}

test.each([HOUR, -HOUR])('a clock of the agent that moves by %d ms loses no run', async (moved) => {
  const { service, lost, store } = world();
  await jest.advanceTimersByTimeAsync(REPORT_MS);
  jest.setSystemTime(Date.now() + moved);
  service.answers = false;
  await jest.advanceTimersByTimeAsync(REPORT_MS + 2_000);
  service.answers = true;
  await jest.advanceTimersByTimeAsync(REPORT_MS);
  expect([lost, store.isLost]).toEqual([[], false]);
  expect(service.calls).toBeGreaterThan(3);
  store.close();
});

test.each([HOUR, -HOUR])(
  'after a move by %d ms, silence of the service loses the run in its time',
  async (moved) => {
    const { service, lost, store } = world();
    service.answers = false;
    jest.setSystemTime(Date.now() + moved);
    await jest.advanceTimersByTimeAsync(RUN_LEASE_SECONDS * 1000);
    expect(lost).toEqual([]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(lost).toEqual(['the service does not answer']);
    store.close();
  },
);

test('a run about which there is nothing new is reported when its lease needs it, and not before', async () => {
  const { service, store } = world();
  await store.stored();
  expect(service.calls).toBe(0);
  store.addLine('it begins');
  await store.stored();
  await store.stored();
  expect(service.calls).toBe(1);
  await jest.advanceTimersByTimeAsync(REPORT_MS);
  expect(service.calls).toBe(2);
  store.close();
});

test('a run that was lost with its last report is not stored', async () => {
  const { service, store } = world();
  service.refuses = true;
  store.addLine('it begins');
  const first = store.stored();
  await expect(first).rejects.toThrow('another agent has it');
  await expect(store.stored()).rejects.toThrow('another agent has it');
  expect(service.calls).toBe(1);
  store.close();
});

test.each([
  ['about the run', '00000012-1111-4111-8111-111111111111', { stack: 'dev', why: 'x' }, '18', { why: 'x' }],
  [
    'about its stack',
    'dev',
    { run: '00000012-1111-4111-8111-111111111111', resources: 'a' },
    '',
    { run: '18', resources: 'a' },
  ],
  ['about something else', 'hub', { why: 'x' }, 'hub', { why: 'x' }],
])('a notice %s names the run by its number', async (_title, key, data, sentKey, sentData) => {
  const sent: unknown[] = [];
  const attend = async (_place: unknown, report: { readonly notices: readonly unknown[] }): Promise<void> =>
    void sent.push(...report.notices);
  const store = new ServiceRunStore({
    ...{ api: { attend } as unknown as ServiceApi, agent: 'one', place: PLACE, fence: 1 },
    row: { ...ROW, id: '00000012-1111-4111-8111-111111111111' },
    onLost: () => undefined,
  });
  store.notices.add('run-failed', key, { data });
  await store.stored();
  expect(sent).toEqual([{ type: 'run-failed', key: sentKey, data: sentData }]);
});
