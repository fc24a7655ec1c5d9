import { makeUrn } from '@cairn/addresses';
import type { EngineEvent, StepKind, StepView } from '@cairn/engine';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import { ExchangeSteps, isShown } from './exchange-steps.js';
import { ProgramLines } from './program-lines.js';

const urn = makeUrn({ stack: 'dev', project: 'shop', type: 'a:b:Page', name: 'index' });
const entry = (id: string, more: Partial<ResourceEntry> = {}): ResourceEntry =>
  resourceEntry({
    ...{ urn, type: 'a:b:Page', custom: true, id, outputs: propertyMap(id === '' ? {} : { id }) },
    ...more,
  });
const view = (kind: StepKind, old: ResourceEntry | undefined, made: ResourceEntry | undefined): StepView => ({
  ...{ kind, urn, type: 'a:b:Page', provider: undefined, old, new: made },
  ...{ replaceKeys: [], changedKeys: [], detailedDiff: undefined, refreshResult: undefined },
  reason: { t: 'new' },
});
type StepEvent = Extract<EngineEvent, { step: StepView }>;
const begin = (step: StepView): StepEvent => ({ t: 'step-started', step, planning: false });
const end = (step: StepView): StepEvent => ({ t: 'step-ended', step, planning: false, elapsedMs: 0 });
/** Abbreviates steps: kind, the entry before (`!` if its deletion is pending), the entry after. */
const told = (events: readonly StepEvent[]): readonly string[] => {
  const steps = new ExchangeSteps();
  const short = (one: ResourceEntry | undefined): string =>
    one === undefined ? 'none' : `${one.id}${one.delete ? '!' : ''}(${Object.keys(one.outputs).length})`;
  return events.map((event) => {
    const { kind, old, new: made } = steps.take(event);
    return `${kind} ${short(old)} ${short(made)}`;
  });
};

const [old, wanted, made] = [entry('old'), entry(''), entry('new')];

test.each<[string, readonly StepEvent[], readonly string[]]>([
  [
    'a replacement that is created first',
    [
      begin(view('create-replacement', old, wanted)),
      end(view('create-replacement', old, made)),
      begin(view('replace', old, wanted)),
      end(view('replace', old, wanted)),
    ],
    [
      'create-replacement old(1) (0)',
      'create-replacement old!(1) new(1)',
      'replace old!(1) new(1)',
      'replace old!(1) new(1)',
    ],
  ],
  [
    'a replacement whose original goes first',
    [
      begin(view('delete-replaced', old, undefined)),
      end(view('delete-replaced', old, undefined)),
      begin(view('replace', old, wanted)),
      begin(view('create-replacement', old, wanted)),
      end(view('create-replacement', old, made)),
    ],
    [
      'delete-replaced old(1) none',
      'delete-replaced old(1) none',
      'replace old(1) (0)',
      'create-replacement old(1) (0)',
      'create-replacement old(1) new(1)',
    ],
  ],
  [
    'what stays or is updated begins as it is wanted',
    [begin(view('same', old, made)), end(view('same', old, made)), begin(view('update', old, made))],
    ['same old(1) (0)', 'same old(1) new(1)', 'update old(1) (0)'],
  ],
  [
    'outputs that a component registers belong to its step',
    [
      end(view('create', undefined, entry('', { custom: false }))),
      { t: 'outputs', step: view('same', wanted, made), planning: false },
    ],
    ['create none (0)', 'create none new(1)'],
  ],
])('%s', (_, events, lines) => expect(told(events)).toEqual(lines));

test('every reader of an event gets the same step', () => {
  const steps = new ExchangeSteps();
  for (const event of [
    begin(view('delete-replaced', old, undefined)),
    begin(view('create-replacement', old, wanted)),
    end(view('create-replacement', old, made)),
  ])
    expect(steps.take(event)).toBe(steps.take(event));
});

test.each<[StepView, boolean, boolean]>([
  [view('same', old, old), false, false],
  [view('same', old, entry('old', { protect: true })), true, true],
  [view('create-replacement', old, made), false, true],
  [view('delete-replaced', old, undefined), false, true],
  [view('replace', old, made), true, true],
  [view('read-discard', old, undefined), true, true],
])(
  '%#: what a list of steps has, without and with the halves of replacements',
  (step, without, withHalves) => {
    expect(isShown(step, { showSames: false, showReplacementSteps: false })).toBe(without);
    expect(isShown(step, { showSames: false, showReplacementSteps: true })).toBe(withHalves);
  },
);

test('what a program writes: a message for each line, however it comes', () => {
  const lines = new ProgramLines();
  const take = (stream: 'stdout' | 'stderr', text: string): readonly object[] =>
    lines.take({ t: 'program-output', stream, text });
  expect(take('stdout', 'one\n\ntw')).toEqual([{ severity: 'info', message: 'one\n\n' }]);
  expect(take('stderr', 'bad\n')).toEqual([{ severity: 'info#err', message: 'bad\n\n' }]);
  expect(take('stdout', 'o\nrest')).toEqual([{ severity: 'info', message: 'two\n\n' }]);
  expect(lines.rest()).toEqual([{ severity: 'info', message: 'rest\n' }]);
  expect(lines.rest()).toEqual([]);
});
