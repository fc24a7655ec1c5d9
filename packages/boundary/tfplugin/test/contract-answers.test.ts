import type { TfPath, TfValue } from '../src/values/index.js';
import type { ApplyAnswer, ApplyQuestion } from '../src/contract/index.js';
import {
  afterApply,
  afterDataRead,
  afterImport,
  afterImportRead,
  afterRead,
  afterUpgrade,
  beforeUpgrade,
  violation,
  withoutUnknownAttributes,
} from '../src/contract/index.js';
import { impliedType } from '../src/schema/index.js';
import { blockOf, parsePathNotation, valueOf, written } from '../src/notation/index.js';

/** Judgement of other answers as a whole; cases of single functions are in `cases/`. */

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

describe('what is saved after an apply', () => {
  interface Row {
    readonly id: string;
    readonly title: string;
    readonly question?: Partial<ApplyQuestion>;
    readonly answer: Partial<ApplyAnswer>;
    readonly findings?: readonly string[];
    readonly notes?: readonly string[];
    readonly saved: unknown;
  }
  const create = { action: 'create', prior: null } as const;
  const remove = { action: 'delete', planned: null } as const;
  const done = { ...old, name: 'n2' };
  const object = (json: object, tainted = false) => ({
    kind: 'object',
    value: written(value(json)),
    tainted,
  });
  const rows: readonly Row[] = [
    { id: 'own-11', title: 'an update as planned', answer: { state: value(done) }, saved: object(done) },
    {
      id: 'TF-283',
      title: 'an error with an object',
      answer: { state: value({ ...done, size: 1 }), failed: true },
      saved: object({ ...done, size: 1 }),
    },
    {
      id: 'TF-284',
      title: 'an error with null',
      answer: { state: null, failed: true },
      saved: { kind: 'unchanged' },
    },
    {
      id: 'own-12',
      title: 'a create that failed with an object is tainted',
      question: create,
      answer: { state: value(done), failed: true },
      saved: object(done, true),
    },
    {
      id: 'TF-285',
      title: 'a delete that failed keeps the object',
      question: remove,
      answer: { state: value(old), failed: true },
      saved: object(old),
    },
    {
      id: 'own-13',
      title: 'a delete',
      question: remove,
      answer: { state: null },
      saved: { kind: 'removed' },
    },
    {
      id: 'TF-287',
      title: 'a delete that returns the object',
      question: remove,
      answer: { state: value(old) },
      findings: ['NOT_DELETED'],
      saved: object(old),
    },
    {
      id: 'TF-288',
      title: 'a create that returns null',
      question: create,
      answer: { state: null },
      findings: ['NOW_ABSENT'],
      saved: { kind: 'unchanged' },
    },
    {
      id: 'own-14',
      title: 'a create that returns null, of the old type system',
      question: create,
      answer: { state: null, legacy: true },
      findings: ['NULL_RESULT'],
      notes: ['NOW_ABSENT'],
      saved: { kind: 'unchanged' },
    },
    {
      id: 'TF-290',
      title: 'a create with another value is saved and tainted',
      question: create,
      answer: { state: value({ ...done, name: 'OTHER' }) },
      findings: ['.name CHANGED'],
      saved: object({ ...done, name: 'OTHER' }, true),
    },
    {
      id: 'TF-292',
      title: 'an update with another value is saved as it is',
      answer: { state: value({ ...done, name: 'OTHER' }) },
      findings: ['.name CHANGED'],
      saved: object({ ...done, name: 'OTHER' }),
    },
    {
      id: 'own-15',
      title: 'the old type system: another value is only noted',
      question: create,
      answer: { state: value({ ...done, name: 'OTHER' }), legacy: true },
      notes: ['.name CHANGED'],
      saved: object({ ...done, name: 'OTHER' }),
    },
    {
      id: 'TF-377',
      title: 'after an error of the provider nothing is compared',
      answer: { state: value({ ...done, name: 'OTHER' }), failed: true },
      saved: object({ ...done, name: 'OTHER' }),
    },
    {
      id: 'own-16',
      title: 'an unknown is an error, of the old type system too, and saved as null',
      question: create,
      answer: { state: value({ ...done, name: 'OTHER', oc: { $unknown: true } }), legacy: true },
      findings: ['.oc UNKNOWN_LEFT'],
      saved: object({ ...done, name: 'OTHER', oc: null }, true),
    },
    {
      id: 'own-17',
      title: 'what is not of the type is not saved',
      answer: { state: 'text' },
      findings: ['NONCONFORMING'],
      saved: { kind: 'unchanged' },
    },
    {
      id: 'own-18',
      title: 'an answer without an object',
      answer: { state: undefined },
      findings: ['NO_OBJECT'],
      saved: { kind: 'unchanged' },
    },
    {
      id: 'own-20',
      title: 'an answer without an object to a delete',
      question: remove,
      answer: { state: undefined },
      findings: ['NO_OBJECT'],
      saved: { kind: 'removed' },
    },
    {
      id: 'own-21',
      title: 'a delete that failed without an object',
      question: remove,
      answer: { state: undefined, failed: true },
      saved: { kind: 'unchanged' },
    },
    {
      id: 'own-22',
      title: 'an update that failed without an object',
      answer: { state: undefined, failed: true },
      saved: { kind: 'unchanged' },
    },
    {
      id: 'own-19',
      title: 'the value of a write-only attribute is an error and is not saved',
      answer: { state: value({ ...done, pw: 's' }) },
      findings: ['.pw WRITE_ONLY'],
      saved: object(done),
    },
  ];

  test.each(rows.map((row) => [row.id, row.title, row] as const))('%s: %s', (_id, _title, row) => {
    const outcome = afterApply(
      { block, action: 'update', prior: value(old), planned: value(done), ...row.question },
      { state: null, failed: false, legacy: false, ...row.answer },
    );
    const { saved } = outcome;
    expect({
      findings: found(outcome.findings),
      notes: found(outcome.notes),
      saved: saved.kind === 'object' ? { ...saved, value: written(saved.value) } : saved,
    }).toEqual({ findings: row.findings ?? [], notes: row.notes ?? [], saved: row.saved });
  });
});

describe('reads, imports, upgrades', () => {
  test('TF-304: a read of nothing', () => {
    expect(afterRead(block, value(old), null)).toEqual({ findings: [], notes: [], value: null });
  });

  test('TF-306: drift is noted and used', () => {
    const outcome = afterRead(block, value(old), value({ ...old, name: 'drift' }));
    expect([found(outcome.findings), found(outcome.notes)]).toEqual([[], ['.name CHANGED']]);
    expect(written(outcome.value)).toEqual(written(value({ ...old, name: 'drift' })));
  });

  test('own-31: a read with null for no blocks', () => {
    expect(written(afterRead(block, null, value({ ...old, rule: null })).value)).toEqual(written(value(old)));
  });

  test('own-32: a read with an unknown, and with a write-only value', () => {
    const outcome = afterRead(block, null, value({ ...old, oc: { $unknown: true }, pw: 's' }));
    expect(found(outcome.findings)).toEqual(['.oc UNKNOWN_VALUE', '.pw WRITE_ONLY']);
    expect(outcome.value).toBeNull();
  });

  const stub = { typeName: 'thing', state: value({ id: 'i' }) };
  test.each([
    ['TF-317', 'none', [], ['IMPORT_NONE']],
    ['own-33', 'two', [stub, stub], ['IMPORT_MANY']],
    ['own-34', 'another type', [{ ...stub, typeName: 'other' }], ['IMPORT_TYPE']],
    ['TF-319', 'null', [{ ...stub, state: null }], ['IMPORT_NULL']],
    ['TF-322', 'an unknown', [{ ...stub, state: value({ id: { $unknown: true } }) }], ['.id UNKNOWN_VALUE']],
    ['TF-321', 'a part', [stub], []],
  ] as const)('%s: an import of %s', (_id, _title, imported, expected) => {
    expect(found(afterImport(block, 'thing', imported).findings)).toEqual(expected);
  });

  test('TF-318: the read of an import finds nothing', () => {
    expect(found(afterImportRead(block, null).findings)).toEqual(['IMPORT_ABSENT']);
    expect(found(afterImportRead(block, value(old)).findings)).toEqual([]);
  });

  test('TF-308: state of a newer provider', () => {
    expect([beforeUpgrade(3, 2), beforeUpgrade(2, 2), beforeUpgrade(1, 2)].map(found)).toEqual([
      ['NEWER_STATE'],
      [],
      [],
    ]);
  });

  test('own-35: an upgrade that loses the object, and one that keeps a write-only value', () => {
    expect(found(afterUpgrade(block, null).findings)).toEqual(['NULL_OBJECT']);
    expect(found(afterUpgrade(block, value({ ...old, pw: 's' })).findings)).toEqual(['.pw WRITE_ONLY']);
  });

  test('TF-328, TF-329, TF-330: what a data source gives', () => {
    expect(found(afterDataRead(block, null).findings)).toEqual(['NULL_OBJECT']);
    expect(found(afterDataRead(block, value({ id: { $unknown: true } })).findings)).toEqual([
      '.id UNKNOWN_VALUE',
    ]);
    expect(found(afterDataRead(block, value({ name: 'another' })).findings)).toEqual([]);
  });

  test('own-36: attributes that the schema does not have are taken out, but not of a place of any type', () => {
    const schema = blockOf({
      a: ['O', 'string'],
      any: ['O', 'dynamic'],
      m: ['O', ['map', ['object', { x: 'string' }]]],
      l: { block: 'list', body: { x: ['O', 'string'] } },
    });
    const json = {
      a: '1',
      gone: 1,
      any: { kept: 1 },
      m: { k: { x: '1', gone: 2 } },
      l: [{ x: '1', gone: 3 }, null],
    };
    expect(withoutUnknownAttributes(impliedType(schema), json)).toEqual({
      a: '1',
      any: { kept: 1 },
      m: { k: { x: '1' } },
      l: [{ x: '1' }, null],
    });
  });
});

describe('what users are told', () => {
  const sensitive = blockOf({
    pw: ['OS', ['map', 'string']],
    n: ['O', 'string'],
    m: ['O', ['map', 'string']],
  });
  const differing = (masks: readonly TfPath[]) => {
    const of = (json: unknown) => valueOf(sensitive, json);
    const planned = of({ pw: { k: 'secret1' }, n: 'secret2', m: { secret3: 'x' } });
    const question = { block: sensitive, action: 'update', prior: planned, planned, masks } as const;
    const state = of({ pw: { k: 'other1' }, n: 'other2', m: {} });
    return afterApply(question, { state, failed: false, legacy: false }).findings;
  };

  test('TF-335: a violation names provider, resource, path and rule, and no value [TFC-27]', () => {
    const texts = differing([]).map((each) => violation('registry/fake', 'fake_thing.a', each));
    expect(texts.map(({ code, summary }) => `${code} ${summary}`)).toEqual([
      'CAIRN-TERRAFORM-RESULT provider registry/fake, fake_thing.a: .m: lacks a planned element ("secret3") [TFC-17 ELEMENT_VANISHED]',
      'CAIRN-TERRAFORM-RESULT provider registry/fake, fake_thing.a: .n: has another value than planned [TFC-17 CHANGED]',
      'CAIRN-TERRAFORM-RESULT provider registry/fake, fake_thing.a: .pw (secret): has another value than planned [TFC-17 CHANGED]',
    ]);
  });

  test('TF-336: what the program marks as secret is masked as well, its keys too', () => {
    const said = differing([['n'], ['m', { key: 'secret3' }]]);
    expect(said.map(({ masked }) => masked)).toEqual([true, true, true]);
    const text = said.map((each) => violation('fake', 'thing', each).summary).join('\n');
    expect(text).not.toMatch(/secret\d|other\d/);
  });
});
