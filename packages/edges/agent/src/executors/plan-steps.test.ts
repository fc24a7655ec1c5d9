import { digestOfSteps, driftOfLog, stepsOfEvents, stepsOfPlan } from './plan-steps.js';

const urn = (name: string, type = 'aws:s3/bucket:Bucket'): string => `urn:pulumi:dev::shop::${type}::${name}`;
const plan = (steps: Readonly<Record<string, readonly string[]>>): string =>
  JSON.stringify({
    resourcePlans: Object.fromEntries(
      Object.entries(steps).map(([name, ops]) => [urn(name), { steps: ops }]),
    ),
  });

test.each([
  [['create'], 'create'],
  [['update'], 'update'],
  [['delete'], 'delete'],
  [['import'], 'import'],
  [['read'], 'read'],
  [['same'], undefined],
  [['refresh', 'same'], undefined],
  [['create-replacement', 'replace', 'delete-replaced'], 'replace'],
  [['delete-replaced', 'replace', 'create-replacement'], 'replace'],
  [['refresh', 'update'], 'update'],
  [['delete', 'create'], 'delete'],
  // A step that a later version adds needs an approval.
  [['transmute'], 'replace'],
  [[], undefined],
] as const)('steps %j of a plan: %s', (ops, kind) => {
  const expected = kind === undefined ? [] : [{ urn: urn('a'), type: 'aws:s3/bucket:Bucket', kind }];
  expect(stepsOfPlan(plan({ a: ops }))).toEqual(expected);
});

test('the stack and default providers are no steps; other providers are', () => {
  const resourcePlans = Object.fromEntries(
    [
      'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev',
      urn('default_1_0_0', 'pulumi:providers:aws'),
      urn('other', 'pulumi:providers:aws'),
    ].map((name) => [name, { steps: ['create'] }]),
  );
  expect(stepsOfPlan(JSON.stringify({ resourcePlans })).map((step) => step.urn)).toEqual([
    urn('other', 'pulumi:providers:aws'),
  ]);
});

const events = (...lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

test('steps and drift of an event log', () => {
  const destroyed = events(
    { preludeEvent: {} },
    { resourcePreEvent: { metadata: { op: 'delete', urn: urn('a') } } },
    { resOutputsEvent: { metadata: { op: 'delete', urn: urn('a') } } },
    { resOutputsEvent: { metadata: { op: 'same', urn: urn('b') } } },
  );
  expect(stepsOfEvents(destroyed).map(({ urn: of, kind }) => [of, kind])).toEqual([[urn('a'), 'delete']]);
  const log = events(
    { preludeEvent: {} },
    { resOutputsEvent: { metadata: { op: 'same', urn: urn('b') } } },
    {
      resOutputsEvent: {
        metadata: {
          op: 'update',
          urn: urn('c'),
          old: { inputs: { x: 1 }, outputs: { size: 5, hash: 'a', same: [1] } },
          new: { inputs: { x: 2 }, outputs: { size: 6, hash: 'a', same: [1], more: true } },
        },
      },
    },
    {
      resOutputsEvent: {
        metadata: { op: 'update', urn: urn('d'), detailedDiff: { 'tags.b': {}, 'tags.a': {} } },
      },
    },
    { resOutputsEvent: { metadata: { op: 'delete', urn: urn('e'), old: { outputs: { a: 1 } }, new: null } } },
    ...[
      { urn: urn('c'), severity: 'info', message: '<{%reset%}>last changed by ada<{%reset%}>\n' },
      { urn: urn('c'), severity: 'warning', message: 'it is old' },
      { urn: urn('b'), severity: 'info', message: 'read' },
      { severity: 'info', message: 'a line of the program' },
    ].map((diagnosticEvent) => ({ diagnosticEvent })),
  );
  // Only what the provider says, and only about what differs.
  expect(driftOfLog(log).map(({ says }) => says)).toEqual([['last changed by ada'], undefined, undefined]);
  expect(driftOfLog(log).map(({ urn: of, kind, keys }) => [of, kind, keys])).toEqual([
    [urn('c'), 'update', ['more', 'size', 'x']],
    [urn('d'), 'update', ['tags.a', 'tags.b']],
    [urn('e'), 'delete', []],
  ]);
});

test('a digest of steps does not depend on their order', () => {
  const [a, b] = [urn('a'), urn('b')].map((of) => ({ urn: of, type: 't', kind: 'delete' as const }));
  if (a === undefined || b === undefined) throw new Error('no steps');
  expect(digestOfSteps([a, b])).toBe(digestOfSteps([b, a]));
  expect(digestOfSteps([a, b])).not.toBe(digestOfSteps([a]));
});
