import { decidePlan, isWithin } from './decide.js';
import type {
  HoursOfDay,
  PlannedStep,
  ApprovalPolicy,
  PlanFacts,
  PolicyRule,
  PolicyStepKind,
} from './policy.js';

const step = (kind: PolicyStepKind, name = 'a', type = 'aws:s3/bucket:Bucket'): PlannedStep => ({
  urn: `urn:pulumi:dev::shop::${type}::${name}`,
  type,
  kind,
});
const policy = (...rules: readonly PolicyRule[]): ApprovalPolicy => ({
  name: 'p',
  rules,
  approvals: 1,
  others: false,
});
const facts = (steps: readonly PlannedStep[], more: Partial<PlanFacts> = {}): PlanFacts => ({
  steps,
  request: 'up',
  by: 'schedule',
  at: new Date('2026-11-25T12:00:00Z'),
  ...more,
});
const rule = (then: PolicyRule['then'], when: PolicyRule['when'] = {}, name: string = then): PolicyRule => ({
  name,
  when,
  then,
});
const SMALL = rule('apply', { kinds: ['create', 'update'] }, 'small');

type Row = readonly [
  name: string,
  policy: ApprovalPolicy,
  facts: PlanFacts,
  answer: string,
  reasons: readonly string[],
];

const ROWS: readonly Row[] = [
  ['nothing to do', policy(), facts([]), 'apply', []],
  ['no rules', policy(), facts([step('create')]), 'approve', ['1 create needs an approval: no rule applies']],
  [
    'a rule for kinds',
    policy(SMALL),
    facts([step('create'), step('update')]),
    'apply',
    ['1 create, 1 update apply: rule "small"'],
  ],
  [
    'one step of another kind',
    policy(SMALL),
    facts([step('create'), step('import')]),
    'approve',
    ['1 import needs an approval: no rule applies', '1 create apply: rule "small"'],
  ],
  [
    'a delete that a rule would apply',
    policy(rule('apply')),
    facts([step('delete')]),
    'approve',
    ['1 delete needs an approval: a delete always needs one'],
  ],
  [
    'a replacement that a rule would apply',
    policy(rule('apply')),
    facts([step('replace'), step('create')]),
    'approve',
    ['1 replace needs an approval: a replace always needs one', '1 create apply: rule "apply"'],
  ],
  [
    'the first rule decides',
    policy(rule('refuse', { types: ['aws:rds/**'] }, 'databases'), rule('apply')),
    facts([step('update', 'db', 'aws:rds/instance:Instance'), step('update')]),
    'refuse',
    ['1 update is refused: rule "databases"', '1 update apply: rule "apply"'],
  ],
  [
    'a star stops at a colon',
    policy(rule('apply', { types: ['aws:*'] })),
    facts([step('create')]),
    'approve',
    ['1 create needs an approval: no rule applies'],
  ],
  [
    'a refused delete',
    policy(rule('refuse', { kinds: ['delete'] }, 'no deletes')),
    facts([step('delete'), step('delete', 'b')]),
    'refuse',
    ['2 delete are refused: rule "no deletes"'],
  ],
  [
    'more than a number of steps',
    policy(rule('refuse', { moreThan: 2 }, 'many'), rule('apply')),
    facts([step('create', 'a'), step('create', 'b'), step('create', 'c')]),
    'refuse',
    ['3 create are refused: rule "many"'],
  ],
  [
    'not more than a number of steps',
    policy(rule('refuse', { moreThan: 2 }, 'many'), rule('apply')),
    facts([step('create', 'a'), step('create', 'b')]),
    'apply',
    ['2 create apply: rule "apply"'],
  ],
  [
    'a number counts the steps that the rule is about',
    policy(rule('refuse', { kinds: ['update'], moreThan: 1 }, 'many'), rule('apply')),
    facts([step('create', 'a'), step('create', 'b'), step('update', 'c')]),
    'apply',
    ['2 create, 1 update apply: rule "apply"'],
  ],
  [
    'who asked',
    policy(rule('apply', { by: ['*@ops'] })),
    facts([step('create')], { by: 'alice@ops' }),
    'apply',
    ['1 create apply: rule "apply"'],
  ],
  [
    'another person asked',
    policy(rule('apply', { by: ['*@ops'] })),
    facts([step('create')], { by: 'mallory' }),
    'approve',
    ['1 create needs an approval: no rule applies'],
  ],
  [
    'what was asked for',
    policy(rule('refuse', { requests: ['destroy'] }, 'never'), rule('apply')),
    facts([step('create')], { request: 'destroy' }),
    'refuse',
    ['1 create is refused: rule "never"'],
  ],
  [
    'hours of the day',
    policy(
      rule('refuse', { hours: { from: 9 * 60, to: 17 * 60, zone: 'Europe/Berlin' } }, 'freeze'),
      rule('apply'),
    ),
    facts([step('create')]),
    'refuse',
    ['1 create is refused: rule "freeze"'],
  ],
];

test.each(ROWS)('%s', (_name, given, about, answer, reasons) => {
  expect(decidePlan(given, about)).toEqual({ answer, reasons });
});

type HourRow = readonly [hours: Omit<HoursOfDay, 'zone'>, zone: string, at: string, within: boolean];
const NIGHT = { from: 22 * 60, to: 6 * 60 };
const HOURS: readonly HourRow[] = [
  [{ from: 540, to: 1020 }, 'UTC', '2026-11-25T08:59:59Z', false],
  [{ from: 540, to: 1020 }, 'UTC', '2026-11-25T09:00:00Z', true],
  [{ from: 540, to: 1020 }, 'UTC', '2026-11-25T17:00:00Z', false],
  [{ from: 540, to: 1020 }, 'Europe/Berlin', '2026-11-25T16:30:00Z', false],
  [NIGHT, 'UTC', '2026-11-25T23:00:00Z', true],
  [NIGHT, 'UTC', '2026-11-25T05:59:00Z', true],
  [NIGHT, 'UTC', '2026-11-25T06:00:00Z', false],
  // Wednesday night ends on Thursday.
  [{ ...NIGHT, days: ['wed'] }, 'UTC', '2026-11-26T05:00:00Z', true],
  [{ ...NIGHT, days: ['wed'] }, 'UTC', '2026-11-25T05:00:00Z', false],
  [{ ...NIGHT, days: ['wed'] }, 'UTC', '2026-11-26T23:00:00Z', false],
  [{ from: 0, to: 1440 }, 'UTC', '2026-11-25T00:00:00Z', true],
  // The hour that summer time skips, and the one that winter time repeats.
  [{ from: 120, to: 180 }, 'Europe/Berlin', '2026-03-29T00:59:00Z', false],
  [{ from: 120, to: 180 }, 'Europe/Berlin', '2026-03-29T01:00:00Z', false],
  [{ from: 120, to: 180 }, 'Europe/Berlin', '2026-10-25T00:30:00Z', true],
  [{ from: 120, to: 180 }, 'Europe/Berlin', '2026-10-25T01:30:00Z', true],
];

test.each(HOURS)('%j in %s at %s: %s', (hours, zone, at, within) => {
  expect(isWithin({ ...hours, zone }, new Date(at))).toBe(within);
});
