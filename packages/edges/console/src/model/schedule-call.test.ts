import { scheduleCall } from './schedule-call.js';

test.each<[string, string, boolean, object]>([
  ['drift', ' 0 3 * * * ', true, { scheduleCron: '0 3 * * *', autoRemediate: true }],
  ['ttl', '2030-01-31T18:00:00Z', false, { timestamp: '2030-01-31T18:00:00Z', deleteAfterDestroy: false }],
  ['refresh', '0 3 * * *', false, { scheduleCron: '0 3 * * *', request: { operation: 'refresh' } }],
  [
    'update',
    '2030-01-31T18:00:00Z',
    false,
    { scheduleOnce: '2030-01-31T18:00:00Z', request: { operation: 'update' } },
  ],
])('a schedule of %s', (kind, when, also, body) => {
  const path = kind === 'drift' || kind === 'ttl' ? `/${kind}/schedules` : '/schedules';
  expect(scheduleCall(kind, when, also, { zone: '', jitter: ' ' })).toEqual({ path, body });
});

const CLOCK = { zone: ' Europe/Berlin', jitter: '10m ' };
const cairn = { zone: 'Europe/Berlin', jitter: '10m' };

test.each<[string, string, object]>([
  ['drift', '0 3 * * *', { scheduleCron: '0 3 * * *', autoRemediate: false, cairn }],
  ['update', '0 3 * * *', { scheduleCron: '0 3 * * *', request: { operation: 'update' }, cairn }],
  [
    'update',
    '2030-01-31T18:00:00Z',
    { scheduleOnce: '2030-01-31T18:00:00Z', request: { operation: 'update' } },
  ],
  ['ttl', '2030-01-31T18:00:00Z', { timestamp: '2030-01-31T18:00:00Z', deleteAfterDestroy: false }],
])('a schedule of %s at %s has a clock only if it has a cron expression', (kind, when, body) => {
  expect(scheduleCall(kind, when, false, CLOCK).body).toEqual(body);
});
