import { foldJournal, readDocument } from './fold.js';
import { readBatch } from './journal-acceptance.js';
import { FoldBudget, LiveFold } from './live-fold.js';

const FACTS = { now: new Date(0), version: 'v0.1.0' };
const MANIFEST = '{"time":"2030-01-01T00:00:00Z","magic":"","version":""}';

function resourceText(name: string): string {
  return `{"urn":"urn:pulumi:dev::shop::test:index:Thing::${name}","later":1.0,"custom":false,"type":"test:index:Thing","inputs":{"n":1.0},"outputs":{"big":9007199254740993}}`;
}

const BASE = {
  version: 3,
  features: undefined,
  deployment: `{"manifest":${MANIFEST},"resources":[${resourceText('old')}],"unknown":-0}`,
};

const begin = (sequence: number, name: string): string =>
  `{"version":1,"kind":0,"sequenceID":${sequence},"operationID":${sequence},"operation":{"resource":${resourceText(name)},"type":"creating"}}`;
const success = (sequence: number, of: number, name: string): string =>
  `{"version":1,"kind":1,"sequenceID":${sequence},"operationID":${of},"removeOld":null,"state":${resourceText(name)}}`;

function folded(batches: readonly (readonly string[])[], budget = new FoldBudget(1 << 20)): LiveFold {
  const fold = new LiveFold(BASE, () => readDocument(BASE, 'test'), budget);
  for (const texts of batches)
    fold.add(readBatch(texts.map((text) => ({ text, value: JSON.parse(text) as never }))));
  return fold;
}

test.each([
  ['no entry', []],
  ['a step that ended', [begin(1, 'a'), success(2, 1, 'a')]],
  ['a step without an end', [begin(1, 'a'), success(2, 1, 'a'), begin(5, 'b')]],
  [
    'steps that mark resources',
    [
      success(1, 1, 'a'),
      success(2, 2, 'b'),
      '{"version":1,"kind":1,"sequenceID":3,"operationID":3,"deleteNew":1,"pendingReplacementNew":2,"deleteOld":0}',
      success(4, 4, 'c').replace('"removeOld":null', '"removeNew":2'),
    ],
  ],
  ['a new base', [`{"version":1,"kind":5,"sequenceID":1,"operationID":0,"newSnapshot":${BASE.deployment}}`]],
])('%s: entries that came leave the state that stored ones leave', (_what, texts) => {
  const fold = folded(texts.map((text) => [text]));
  expect(fold.document(FACTS)).toEqual(foldJournal(BASE, texts, FACTS));
});

test('the state so far is known before more entries come', () => {
  const fold = folded([[begin(1, 'a')]]);
  expect(fold.document(FACTS)).toEqual(foldJournal(BASE, [begin(1, 'a')], FACTS));
  fold.add(readBatch([{ text: success(2, 1, 'a'), value: JSON.parse(success(2, 1, 'a')) as never }]));
  expect(fold.document(FACTS)?.deployment).toContain(resourceText('a'));
});

test.each([
  ['entries that come out of order', [begin(2, 'a'), begin(1, 'b')]],
  [
    'an entry that follows from none',
    [begin(1, 'a'), success(2, 1, 'a').replace('"removeOld":null', '"removeNew":7')],
  ],
])('%s leave no state here', (_what, texts) => {
  expect(folded([texts]).document(FACTS)).toBeUndefined();
});

test('a base that cannot be read leaves no state here once an entry has come', () => {
  const fold = new LiveFold(
    BASE,
    () => readDocument({ ...BASE, deployment: '{' }, 'test'),
    new FoldBudget(999),
  );
  expect(fold.document(FACTS)).toBe(BASE);
  fold.add(readBatch([{ text: begin(1, 'a'), value: JSON.parse(begin(1, 'a')) as never }]));
  expect([fold.document(FACTS), fold.isKept]).toEqual([undefined, false]);
});

test('a fold beyond the budget gives its bytes to others', () => {
  const budget = new FoldBudget(BASE.deployment.length + begin(1, 'a').length);
  const first = folded([[begin(1, 'a')]], budget);
  expect(folded([], budget).document(FACTS)).toBeUndefined();
  expect(first.document(FACTS)?.deployment).toContain('pending_operations');
  first.add(readBatch([{ text: begin(2, 'b'), value: JSON.parse(begin(2, 'b')) as never }]));
  expect(first.document(FACTS)).toBeUndefined();
  const later = folded([[begin(1, 'a')]], budget);
  expect(later.document(FACTS)).toBeDefined();
  later.release();
  later.release();
  expect(budget.take(BASE.deployment.length + begin(1, 'a').length)).toBe(true);
  expect(budget.take(1)).toBe(false);
});
