import { hookBody } from './hook-body.js';
import { isHookTarget, pauseAfter } from '@cairn/http-api/hooks';
import { lifeOf, noticed, occasionsOf, wants } from './hooks.js';
import type { Hook, HookOccasion } from './hooks.js';

const AT = { status: 'succeeded', at: 7 } as const;
const UPDATE = {
  id: 'u',
  kind: 'update',
  by: 'ann',
  dryRun: false,
  resourceChanges: { create: 1, same: 0 },
} as const;
const CHANGE = { operation: 'up', process: { pid: 1, hostname: 'build-1' } } as const;
const HOOK: Hook = {
  ...{ id: 'h', displayName: 'chat', active: true, format: 'raw', filters: [], groups: [] },
  ...{ sealed: { key: { master: '', sealed: '' }, text: '' }, hasSecret: false },
};

test.each([
  [{}, AT, ['update_succeeded']],
  [{}, { ...AT, status: 'cancelled' }, ['update_failed']],
  [{ dryRun: true }, AT, ['preview_succeeded']],
  [{ kind: 'preview', dryRun: true }, { ...AT, status: 'failed' }, ['preview_failed']],
  [{ kind: 'destroy' }, { ...AT, status: 'failed' }, ['destroy_failed']],
  [{ kind: 'refresh' }, AT, ['refresh_succeeded']],
  [{ kind: 'resource-import' }, AT, ['import_succeeded']],
  [{ kind: 'rename' }, AT, []],
  [
    { kind: 'refresh', dryRun: true },
    AT,
    ['preview_succeeded', 'drift_detection_succeeded', 'drift_detected'],
  ],
  [
    { kind: 'refresh', dryRun: true, resourceChanges: { same: 4, refresh: 2 } },
    AT,
    ['preview_succeeded', 'drift_detection_succeeded'],
  ],
  [
    { kind: 'refresh', dryRun: true },
    { ...AT, status: 'failed' },
    ['preview_failed', 'drift_detection_failed'],
  ],
] as const)('an update %j that ends %j is %j', (more, ending, events) => {
  expect(occasionsOf({ ...UPDATE, ...more }, ending).flatMap((occasion) => occasion.events)).toEqual(events);
});

test.each([
  ['approval-wanted', 3, ['approval_wanted'], 'runs/3', 'acme/shop/dev: run 3 of ann waits for an approval.'],
  ['run-failed', 3, ['run_failed'], 'runs/3', 'acme/shop/dev: run 3 of ann failed.'],
  ['run-held', 3, ['run_held'], 'runs/3', 'acme/shop/dev: run 3 of ann waits for a person.'],
  [
    'run-recovered',
    3,
    ['run_recovered'],
    'runs/3',
    'acme/shop/dev: the operation of run 3 of ann was recovered.',
  ],
  ['agent-lost', 3, ['agent_lost'], 'runs/3', 'acme/shop/dev: the agent of run 3 of ann is silent.'],
  [
    'source-failed',
    undefined,
    ['source_failed'],
    'runs',
    'acme/shop/dev: the source of the stack cannot be read.',
  ],
] as const)('webhooks learn of a notice %s', (type, run, events, page, text) => {
  const [occasion] = noticed({ type, run, by: 'ann', at: 7 });
  expect(occasion).toMatchObject({ kind: 'notice', events, page });
  const place = { organization: 'acme', project: 'shop', stack: 'dev' };
  expect(JSON.parse(hookBody('slack', occasion as HookOccasion, place))).toEqual({ text });
});

test.each(['drift-found', 'drift-detected', 'constructor', 'something-new'])(
  'they do not learn of a notice %s',
  (type) => {
    expect(noticed({ type, run: 3, by: 'ann', at: 7 })).toEqual([]);
  },
);

test.each([
  [{}, ['history']],
  [{ change: { ...CHANGE, number: 7 } }, ['changes/7']],
  [{ dryRun: true }, ['previews/u']],
  [{ dryRun: true, kind: 'refresh' }, ['previews/u', 'drift']],
] as const)('webhooks about an update %j link to %j [AGT-24]', (more, pages) => {
  expect(occasionsOf({ ...UPDATE, ...more }, AT).map(({ page }) => page)).toEqual(pages);
});

test.each([
  [{}, true],
  [{ active: false }, false],
  [{ stackId: 's' }, true],
  [{ stackId: 'other' }, false],
  [{ filters: ['update_succeeded'] }, true],
  [{ filters: ['update_failed'] }, false],
  [{ groups: ['stacks'] }, true],
  [{ groups: ['deployments'] }, false],
  [{ groups: ['deployments'], filters: ['update_succeeded'] }, true],
] as const)('a webhook %j wants an update: %j', (more, wanted) => {
  const [occasion] = occasionsOf(UPDATE, AT);
  expect(occasion && wants({ ...HOOK, ...more }, occasion, 's')).toBe(wanted);
});

test('the webhook of a stack does not learn of its making', () => {
  expect(wants({ ...HOOK, stackId: 's' }, lifeOf('created', 'ann', 7), 's')).toBe(false);
  expect(wants(HOOK, lifeOf('created', 'ann', 7), 's')).toBe(true);
});

test('bodies of chats say what happened, and names in them mean nothing', () => {
  const place = { organization: 'acme', project: 'a<b>&c', stack: 'dev_*1*', page: 'https://state.test/s/x' };
  const [update] = occasionsOf(UPDATE, AT);
  const drift = occasionsOf({ ...UPDATE, kind: 'refresh', dryRun: true }, AT, 'page (update)')[1];
  const slack = (occasion: typeof update) => occasion && JSON.parse(hookBody('slack', occasion, place));
  expect([slack(update), slack(drift), slack(lifeOf('deleted', 'ann', 7))]).toEqual([
    {
      text: 'acme/a&lt;b&gt;&amp;c/dev_*1*: update by ann succeeded (1 create). <https://state.test/s/x|Open>',
    },
    {
      text: 'acme/a&lt;b&gt;&amp;c/dev_*1*: ann found drift (1 create): page (update). <https://state.test/s/x|Open>',
    },
    { text: 'acme/a&lt;b&gt;&amp;c/dev_*1*: ann deleted the stack. <https://state.test/s/x|Open>' },
  ]);
  expect(update && JSON.parse(hookBody('ms_teams', update, place))).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          body: [{ text: 'acme/a<b>&c/dev\\_\\*1\\*: update by ann succeeded \\(1 create\\).' }],
          actions: [{ type: 'Action.OpenUrl', url: 'https://state.test/s/x' }],
        },
      },
    ],
  });
});

test('attempts are further and further apart, and end', () => {
  expect([1, 2, 3, 4, 5, 6].map(pauseAfter)).toEqual([
    10_000,
    60_000,
    600_000,
    3_600_000,
    21_600_000,
    undefined,
  ]);
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['169.254.169.254', false],
  ['172.31.0.1', false],
  ['192.168.1.1', false],
  ['100.100.100.200', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['::ffff:169.254.169.254', false],
  ['::ffff:a9fe:a9fe', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['2002:a9fe:a9fe::1', false],
  ['fd00:ec2::254', false],
  ['fe80::1', false],
  ['localhost', false],
  ['10.9.9.9', true, '10.9.9.9'],
] as const)('%s is a target: %s', (address, expected, ...allowed: string[]) => {
  expect(isHookTarget(address, (each) => allowed.includes(each))).toBe(expected);
});
