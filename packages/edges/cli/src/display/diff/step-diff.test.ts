import { urnName } from '@cairn/addresses';
import type { StepView } from '@cairn/engine';
import { MockWorld, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, ProgramFunction } from '@cairn/testkit';
import { makeUrn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import { parsePath, propertyMap } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { paintFor } from '../../terminal/paint.js';
import { stepDiffLines } from './step-diff.js';
import { stepJson } from '../event-json.js';

const style = { paint: paintFor(false), showSecrets: false };
const shown = (step: StepView) => stepDiffLines(step, style).map((line) => line.trim());

/** Two ways in which a provider reports changed values. */
const keys = ['array', 'map', 'scalar'];
const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
const plain: MockBehaviour = {
  diff: ({ oldInputs, news }) =>
    differ(oldInputs, news) ? diffAnswer('some', { changedKeys: keys }) : diffAnswer('none'),
};
const detailed: MockBehaviour = {
  diff: ({ oldInputs, news }) =>
    differ(oldInputs, news)
      ? diffAnswer('some', {
          changedKeys: keys,
          detailedDiff: Object.fromEntries(
            ['array[0]', 'map.key', 'scalar'].map((path) => [
              path,
              { kind: 'update' as const, inputDiff: true },
            ]),
          ),
        })
      : diffAnswer('none'),
};

const program =
  (value: string): ProgramFunction =>
  async ({ resource }) => {
    const inputs = { array: [value], map: { key: value }, scalar: value };
    await resource('pkgA:m:typA', 'resA', inputs, { hideDiffs: ['array', 'map', 'scalar'] });
    await resource('pkgA:m:typA', 'resB', inputs, { hideDiffs: ['array', 'map'] });
    await resource('pkgA:m:typA', 'resC', { scalar: 'a' }, { hideDiffs: ['scalar'] });
  };

test.each([
  ['LT2-188 changed keys', plain],
  ['LT2-189 a detailed diff', detailed],
])('%s: what is hidden is named and not shown', async (_title, behaviour) => {
  const providers = new MockWorld({ pkgA: { behaviour } });
  const first = await runScenario({ providers, program: program('a') });
  const resA = first.snapshot.resources.find(({ urn }) => urnName(urn) === 'resA');
  expect(resA?.hideDiffs).toEqual([['array'], ['map'], ['scalar']]);
  for (const preview of [true, false]) {
    const second = await runScenario({ providers, preview, program: program('b'), prior: first.snapshot });
    expect(second.steps).toEqual(['update resA', 'update resB', 'same resC']);
    const views = second.events.flatMap((event) => (event.t === 'step-ended' ? [event.step] : []));
    const lines = (name: string) => views.filter(({ urn }) => urnName(urn) === name).flatMap(shown);
    expect(lines('resA')).toEqual(['~ array (hidden)', '~ map (hidden)', '~ scalar (hidden)']);
    expect(lines('resB')).toEqual(['~ array (hidden)', '~ map (hidden)', '~ scalar: "a" => "b"']);
    expect(lines('resC')).toEqual([]);
  }
});

type Values = Record<string, PropertyValue>;

const entry = (values: Values, hidden: readonly string[]) =>
  resourceEntry({
    urn: makeUrn({ stack: 's', project: 'p', type: 'a:b:C', name: 'n' }),
    type: 'a:b:C',
    custom: true,
    inputs: propertyMap(values),
    hideDiffs: hidden.map(parsePath),
  });

const update = (old: Values, news: Values, hidden: readonly string[]): StepView => ({
  kind: 'update',
  urn: entry({}, []).urn,
  type: 'a:b:C',
  provider: undefined,
  old: entry(old, hidden),
  new: entry(news, hidden),
  replaceKeys: [],
  changedKeys: [],
  detailedDiff: undefined,
  reason: { t: 'new' },
  refreshResult: undefined,
});

test.each<[string, Values, Values, readonly string[], readonly string[]]>([
  ['an addition', {}, { a: 1 }, ['a'], ['+ a (hidden)']],
  ['a removal', { a: 1 }, {}, ['a'], ['- a (hidden)']],
  ['an addition inside', { a: {} }, { a: { b: 1 } }, ['a'], ['~ a (hidden)']],
  [
    'only one key of a map',
    { a: { b: 1, c: 1 } },
    { a: { b: 2, c: 2 } },
    ['a.b'],
    ['~ a.b (hidden)', '~ a.c: 1 => 2'],
  ],
  [
    'every item of a list',
    { a: [{ k: 1 }, { k: 1 }] },
    { a: [{ k: 2 }, { k: 1 }] },
    ['a[*].k'],
    ['~ a[0].k (hidden)'],
  ],
  [
    'inside of what is new as a whole',
    {},
    { a: { b: 'x', c: 'y' } },
    ['a.b'],
    ['+ a: {\n        b: "(hidden)"\n        c: "y"\n      }'],
  ],
  ['two that lie in each other', { a: { b: 1 } }, { a: { b: 2 } }, ['a.b', 'a'], ['~ a (hidden)']],
])('hiding %s [DIFF-13]', (_title, old, news, hidden, lines) => {
  const found = shown(update(old, news, hidden)).map((line) => line.replace(/\n +/g, '\n '));
  expect(found).toEqual(lines.map((line) => line.replace(/\n +/g, '\n ')));
});

test('the paths stand with the states of events [DIFF-13]', () => {
  const json = stepJson(update({ a: [1] }, { a: [2] }, ['a[0]']), { showSecrets: false } as Parameters<
    typeof stepJson
  >[1]);
  expect(json['new']).toMatchObject({ hideDiffs: ['a[0]'] });
});
