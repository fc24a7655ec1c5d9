import { propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { entryOf, factsOf } from '../../test/facts.js';
import type { Goal } from '../model/goal.js';
import type { ResourceEntry } from '@cairn/state';
import type { StepKind } from '../model/step-kinds.js';
import { settledAfter, settledCheck, settledDiff, settling } from './settled.js';
import type { Answers, Question } from './verdict.js';

const inputs = propertyMap({ k: 1 });
const prior = entryOf('res', { inputs, outputs: propertyMap({ k: 1, made: 'x' }) });
const { goal } = factsOf({ goal: { inputs } });
const none = {
  changes: 'none',
  replaceKeys: [],
  changedKeys: [],
  stableKeys: [],
  detailedDiff: undefined,
  deleteBeforeReplace: false,
} as const;
const checked: Answers = { check: { inputs, failures: [] } };
const owed = { rule: { t: 'verbatim' }, specific: false } as const;
const proposed = { rule: { t: 'pattern', parts: [{ t: 'name' }], enforce: false }, specific: false } as const;
const remediated = { inputs, remediated: true, mandatory: [] };

describe('a check that the state may answer [DIFF-14]', () => {
  const check = {
    t: 'check',
    goal,
    olds: inputs,
    oldOutputs: prior.outputs,
    news: inputs,
    again: false,
  } as const;
  const rows: [string, Partial<typeof check & { skippedPaths: readonly string[] }>, Answers, boolean][] = [
    ['the entry counts', {}, {}, true],
    ['other inputs, which have another digest', { news: propertyMap({ k: 2 }) }, {}, true],
    ['a name is proposed', { goal: { ...goal, naming: proposed } as never }, {}, true],
    ['nothing of the prior object counts', { olds: undefined as never }, {}, false],
    ['the inputs of another entry', { olds: propertyMap({ k: 1 }) }, {}, false],
    ['the second check of a replacement', { again: true as never }, {}, false],
    ['a path of ignoreChanges is to be reported', { skippedPaths: ['a.b'] }, {}, false],
    ['a name that the provider must take', { goal: { ...goal, naming: owed } as never }, {}, false],
    ['a provider', { goal: { ...goal, type: 'pulumi:providers:a' } as never }, {}, false],
    ['an object that was just imported', {}, { imported: { entry: prior } as never }, false],
  ];
  test.each(rows)('%s', (_title, more, answers, expected) => {
    const question = { skippedPaths: [], ...check, ...more } as Question;
    expect(settling(question, answers, prior) !== undefined).toBe(expected);
  });

  test('a resource without entry', () =>
    expect(settling({ ...check, skippedPaths: [] }, {}, undefined)).toBeUndefined());

  test('another question', () =>
    expect(settling({ t: 'diff', goal, prior, inputs }, {}, prior)).toBeUndefined());

  test('its answer has the inputs of the entry', () =>
    expect(settledCheck({}, prior, 'd')).toEqual({ check: { inputs, failures: [] }, settled: 'd' }));
});

describe('a diff that the state may answer [DIFF-14]', () => {
  const rows: [string, Answers, PropertyMap, boolean][] = [
    ['after a check that it has answered', { settled: 'd' }, inputs, true],
    ['with equal inputs from a policy pack', { settled: 'd' }, propertyMap({ k: 1 }), true],
    ['with inputs that a policy pack has corrected', { settled: 'd' }, propertyMap({ k: 2 }), false],
    ['after a check that the provider has answered', checked, inputs, false],
  ];
  test.each(rows)('%s', (_title, answers, given, expected) => {
    expect(settledDiff(answers, prior, given)).toEqual(expected ? none : undefined);
  });
});

describe('a registration that settles its resource [DIFF-14]', () => {
  interface Given {
    readonly goal?: Partial<Goal>;
    readonly answers?: Answers;
    readonly prior?: ResourceEntry | undefined;
    readonly kinds: readonly StepKind[];
    readonly entry?: Partial<ResourceEntry>;
  }
  const same: Given = { kinds: ['same'], answers: { diff: none } };
  const ignored = { ignoreChanges: ['k'], inputs: propertyMap({ k: 7 }) };
  const rows: [string, Given, boolean][] = [
    ['a create', { kinds: ['create'] }, true],
    ['an update', { kinds: ['update'] }, true],
    ['a replacement, create-first', { kinds: ['create-replacement', 'replace'] }, true],
    ['a replacement, delete-first', { kinds: ['delete-replaced', 'replace', 'create-replacement'] }, true],
    [
      'a replacement by its second check',
      { kinds: ['create-replacement'], answers: { recheck: { inputs, failures: [] } } },
      true,
    ],
    [
      'with other inputs than those of its last check',
      {
        kinds: ['create-replacement'],
        answers: { recheck: { inputs: propertyMap({ k: 2 }), failures: [] } },
      },
      false,
    ],
    ['nothing to do, says its provider', same, true],
    [
      'nothing to do, while it names properties',
      { ...same, answers: { diff: { ...none, changedKeys: ['k'] } } },
      false,
    ],
    [
      'nothing to do, while it details properties',
      { ...same, answers: { diff: { ...none, detailedDiff: { k: { kind: 'update', inputDiff: true } } } } },
      false,
    ],
    ['nothing to do, with no details', { ...same, answers: { diff: { ...none, detailedDiff: {} } } }, true],
    [
      'nothing to do, although inputs differ',
      { ...same, prior: entryOf('res', { inputs: propertyMap({ k: 3 }) }) },
      false,
    ],
    ['nothing to do, unasked', { kinds: ['same'] }, false],
    [
      'nothing to do, as far as a preview can know',
      { kinds: ['same'], answers: { diff: 'unavailable' } },
      false,
    ],
    ['nothing to do, with an ignored property', { ...same, goal: ignored }, true],
    [
      'nothing to do, with a path that cannot be ignored',
      { ...same, goal: { ignoreChanges: ['k.b'], inputs: propertyMap({ k: { b: 1 } }) } },
      false,
    ],
    ['an update with an ignored property', { kinds: ['update'], goal: ignored }, false],
    ['a create without a check', { kinds: ['create'], answers: { check: undefined } }, false],
    ['an object that is not ready', { kinds: ['create'], entry: { initErrors: ['no'] } }, false],
    ['corrected by a policy pack', { kinds: ['create'], answers: { analysis: remediated as never } }, false],
    [
      'another entry than the provider checked',
      { kinds: ['create'], entry: { inputs: propertyMap({ k: 2 }) } },
      false,
    ],
    ['an import', { kinds: ['same'], answers: { diff: none, imported: {} as never } }, false],
    ['an object that was looked up', { ...same, answers: { diff: none, lookedUp: true } }, false],
    ['a component', { kinds: ['create'], goal: { custom: false } }, false],
    ['a read', { kinds: ['read'] }, false],
  ];
  test.each(rows)('%s', (_title, given, expected) => {
    const found = settledAfter({
      goal: { ...goal, ...given.goal },
      answers: { ...checked, ...given.answers },
      prior: 'prior' in given ? given.prior : prior,
      kinds: given.kinds,
      entry: { ...prior, ...given.entry },
    });
    expect(found !== undefined).toBe(expected);
  });

  test('an ignored property has the value of the entry', () => {
    const done = {
      goal: { ...goal, ...ignored },
      answers: { ...checked, diff: none },
      prior,
      kinds: ['same'] as const,
    };
    expect(settledAfter({ ...done, entry: prior })?.news).toEqual(inputs);
  });
});
