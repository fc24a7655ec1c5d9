import type { TfPath, TfValue } from '../src/values/index.js';
import type { PlanAnswer, PlanQuestion } from '../src/contract/index.js';
import {
  ignoreAttributes,
  initialVersusFinal,
  planOutcome,
  secondPlanOutcome,
  toldOf,
  violation,
} from '../src/contract/index.js';
import { blockOf, parsePathNotation, valueOf, written } from '../src/notation/index.js';

/** Judgement of plans as a whole; cases of single functions are in `cases/`. */

const block = blockOf({
  id: ['C', 'string'],
  name: ['O', 'string'],
  size: ['O', 'number'],
  oc: ['OC', 'string'],
  pw: ['OSW', 'string'],
  rule: { block: 'list', body: { port: ['R', 'number'] } },
});
const value = (json: unknown): TfValue => valueOf(block, json);
const old = { id: 'id-n', name: 'n', oc: 'auto' };
const found = (findings: readonly { path: TfPath; code: string }[]) =>
  findings.map(({ path, code }) => `${parsePathNotation(path)} ${code}`.trim());

describe('what a plan means', () => {
  const plan = (question: Partial<PlanQuestion>, answer: Partial<PlanAnswer>) =>
    planOutcome(
      { block, prior: value(old), config: value({ name: 'n2' }), ...question },
      { planned: value({ ...old, name: 'n2' }), requiresReplace: [], legacy: false, ...answer },
    );

  interface Row {
    readonly id: string;
    readonly title: string;
    readonly question?: Partial<PlanQuestion>;
    readonly answer?: Partial<PlanAnswer>;
    readonly action: string;
    readonly kept?: readonly string[];
    readonly second?: boolean;
    readonly findings?: readonly string[];
    readonly notes?: readonly string[];
  }
  const create = value({ id: { $unknown: true }, name: 'n', oc: { $unknown: true } });
  const rows: readonly Row[] = [
    { id: 'own-05', title: 'another configured value is an update', action: 'update' },
    {
      id: 'TF-273',
      title: 'of a create the paths mean nothing, whether they lead to something or not',
      question: { prior: null, config: value({ name: 'n' }) },
      answer: { planned: create, requiresReplace: [['name'], ['nope']] },
      action: 'create',
    },
    {
      id: 'TF-272',
      title: 'a path that leads to nothing',
      answer: { requiresReplace: [['nope']] },
      action: 'update',
      findings: ['.nope REPLACE_PATH'],
    },
    {
      id: 'TF-274',
      title: 'a path to an unknown counts',
      question: { config: value({ name: 'n', size: 3 }) },
      answer: {
        planned: value({ ...old, id: { $unknown: true }, size: 3 }),
        requiresReplace: [['id']],
      },
      action: 'replace',
      kept: ['.id'],
      second: true,
    },
    {
      id: 'TF-353',
      title: 'paths to equal values do not count',
      question: { config: value({ name: 'n' }) },
      answer: { planned: value(old), requiresReplace: [['name'], ['id']] },
      action: 'none',
    },
    {
      id: 'TF-334',
      title: 'a path to a write-only attribute counts though the plan is the old state',
      question: { config: value({ name: 'n', pw: 's2' }) },
      answer: { planned: value(old), requiresReplace: [['pw']] },
      action: 'replace',
      kept: ['.pw'],
      second: true,
    },
    {
      id: 'TF-366',
      title: 'a path to an element that is only in the old state',
      question: {
        prior: value({ ...old, rule: [{ port: 1 }, { port: 2 }] }),
        config: value({ name: 'n', rule: [{ port: 1 }] }),
      },
      answer: { planned: value({ ...old, rule: [{ port: 1 }] }), requiresReplace: [['rule', 1, 'port']] },
      action: 'replace',
      kept: ['.rule[1].port'],
      second: true,
    },
    {
      id: 'TF-337',
      title: 'somebody asked for a replacement',
      question: { config: value({ name: 'n' }), forced: true },
      answer: { planned: value(old) },
      action: 'replace',
      second: true,
    },
    {
      id: 'TF-372',
      title: 'a computed value that became unknown is an update',
      question: { config: value({ name: 'n' }) },
      answer: { planned: value({ ...old, oc: { $unknown: true } }) },
      action: 'update',
    },
    {
      id: 'TF-373',
      title: 'a tainted object is planned once, as a create, and replaced',
      question: { config: value({ name: 'n' }), tainted: true },
      answer: { planned: create, requiresReplace: [['nope']] },
      action: 'replace',
    },
    {
      id: 'TF-314',
      title: 'the plan of a delete',
      question: { config: null },
      answer: { planned: null },
      action: 'delete',
    },
    {
      id: 'TF-315',
      title: 'something is planned for a delete',
      question: { config: null },
      answer: { planned: value(old) },
      action: 'delete',
      findings: ['DESTROY_PLANNED_PRESENT'],
    },
    {
      id: 'TF-294',
      title: 'the old type system: other values than configured are only noted',
      question: { prior: null, config: value({ name: 'n' }) },
      answer: { planned: value({ ...old, name: 'X', size: 4 }), legacy: true },
      action: 'create',
      notes: ['.name CONFIG_MISMATCH', '.size NOT_COMPUTED'],
    },
    {
      id: 'TF-361',
      title: 'the old type system: types are judged all the same',
      answer: { planned: 'text', legacy: true },
      action: 'update',
      findings: ['PLAN_TYPE'],
    },
    {
      id: 'TF-346',
      title: 'a deferred answer',
      answer: { deferred: true },
      action: 'update',
      findings: ['DEFERRED'],
    },
    {
      id: 'own-01',
      title: 'the value of a write-only attribute is given back',
      question: { config: value({ name: 'n2', pw: 's' }) },
      answer: { planned: value({ ...old, name: 'n2', pw: 's' }) },
      action: 'update',
      findings: ['.pw PLAN_WRITE_ONLY'],
    },
    {
      id: 'own-02',
      title: 'the old type system: an ignored change that comes back is taken back',
      question: { config: value({ name: 'n' }), ignored: [['size']] },
      answer: { planned: value({ ...old, size: 0 }), legacy: true },
      action: 'none',
      notes: ['.size NOT_COMPUTED'],
    },
  ];

  test.each(rows.map((row) => [row.id, row.title, row] as const))('%s: %s', (_id, _title, row) => {
    const outcome = plan(row.question ?? {}, row.answer ?? {});
    expect({
      action: outcome.action,
      kept: outcome.replacePaths.map(parsePathNotation),
      second: outcome.secondPlan,
      findings: found(outcome.findings),
      notes: found(outcome.notes),
    }).toEqual({
      action: row.action,
      kept: row.kept ?? [],
      second: row.second ?? false,
      findings: row.findings ?? [],
      notes: row.notes ?? [],
    });
  });

  test('TF-352: the second plan of a replacement is judged as a create, before anything is deleted', () => {
    const config = value({ name: 'n2' });
    const answer = { planned: value({ ...old, name: 'n' }), requiresReplace: [], legacy: false };
    expect(found(secondPlanOutcome({ block, config }, answer).findings)).toEqual(['.name CONFIG_MISMATCH']);
    const legacy = secondPlanOutcome({ block, config }, { ...answer, legacy: true });
    expect([found(legacy.findings), found(legacy.notes)]).toEqual([[], ['.name CONFIG_MISMATCH']]);
  });

  test('TF-381: what is known of a tainted object is withheld', () => {
    expect([toldOf<TfValue>('state', true, null), toldOf<TfValue>('state', false, null)]).toEqual([
      null,
      'state',
    ]);
  });

  test.each([
    ['TF-290', 'the same action', 'update', 'update', []],
    ['TF-300', 'an update became a replacement', 'update', 'replace', ['ACTION_CHANGED']],
    ['own-03', 'an update became nothing', 'update', 'none', []],
    ['own-04', 'nothing became an update', 'none', 'update', ['ACTION_CHANGED']],
  ] as const)('%s: against the plan before, %s', (_id, _title, initial, final, expected) => {
    const planned = value(old);
    const findings = initialVersusFinal(block, { action: initial, planned }, { action: final, planned });
    expect(found(findings)).toEqual(expected);
  });

  test('TF-297: against the plan before, a value that changed breaks the rule of the final plan', () => {
    const change = (oc: unknown) => ({ action: 'create' as const, planned: value({ name: 'n', oc }) });
    const findings = initialVersusFinal(block, change('t1'), change('t2'));
    expect(findings.map(({ rule, code }) => [rule, code])).toEqual([['TFC-16', 'CHANGED']]);
    expect(initialVersusFinal(block, change({ $unknown: true }), change({ $unknown: true }))).toEqual([]);
    expect(violation('fake', 'thing.a', findings[0] as (typeof findings)[0]).code).toBe(
      'CAIRN-TERRAFORM-FINAL-PLAN',
    );
  });
});

describe('what is ignored', () => {
  const tagged = blockOf({
    id: ['C', 'string'],
    name: ['O', 'string'],
    oc: ['OC', 'string'],
    tags: ['O', ['map', 'string']],
    one: { block: 'single', body: { x: ['O', 'string'], y: ['C', 'string'] } },
    rule: { block: 'list', body: { port: ['O', 'number'], rid: ['C', 'string'] } },
  });
  const before = {
    id: 'i',
    name: 'old',
    oc: 'auto',
    tags: { a: '1', b: '2' },
    one: { x: 'x', y: 'y' },
    rule: [{ port: 1, rid: 'r' }],
  };
  const after = { name: 'new', tags: { a: '9', c: '3' }, one: { x: 'X' }, rule: [{ port: 2 }] };
  const ignoring = (paths: readonly TfPath[] | 'all', config: object = after, prior: unknown = before) =>
    written(ignoreAttributes(tagged, valueOf(tagged, prior), valueOf(tagged, config), paths));
  const as = (config: object) => written(valueOf(tagged, config));

  test.each([
    ['TF-301', 'an attribute', [['name']], { ...after, name: 'old' }],
    ['own-21', 'a key of a map that was there', [['tags', 'a']], { ...after, tags: { a: '1', c: '3' } }],
    [
      'own-22',
      'a key that was not there is taken out',
      [['tags', { key: 'c' }]],
      { ...after, tags: { a: '9' } },
    ],
    ['own-23', 'a key that was removed', [['tags', 'b']], { ...after, tags: { a: '9', b: '2', c: '3' } }],
    ['own-24', 'inside of a block of a list', [['rule', 0, 'port']], { ...after, rule: [{ port: 1 }] }],
    ['own-25', 'inside of a block that is not there any more', [['rule', 3, 'port']], after],
    ['own-26', 'inside of a single block', [['one', 'x']], { ...after, one: { x: 'x' } }],
    ['own-27', 'a path that is not in the schema', [['nope']], after],
  ] as const)('%s: %s', (_id, _title, paths, expected) => {
    expect(ignoring(paths)).toEqual(as(expected));
  });

  test('TF-302: all is ignored: the old state without what only the provider sets', () => {
    const { id: _id, ...rest } = before;
    expect(ignoring('all')).toEqual(as({ ...rest, one: { x: 'x' }, rule: [{ port: 1 }] }));
  });

  test('own-28: a key of a map that is not configured any more is set', () => {
    expect(ignoring([['tags', 'a']], { name: 'new' })).toEqual(as({ name: 'new', tags: { a: '1' } }));
  });

  test('TF-303: of an object that is not there nothing is ignored', () => {
    expect(ignoring('all', after, null)).toEqual(as(after));
  });
});
