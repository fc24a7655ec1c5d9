import { propertyMap } from '@cairn/values';
import { factsOf, named } from '../../test/facts.js';
import type { GivenFacts } from '../../test/facts.js';
import { decide } from './decide.js';
import type { Verdict } from './verdict.js';

const absent = named('absent');
/** A resource in scope that needs one that was left out. A preview reports that with its answer. */
const blamed: GivenFacts = {
  goal: { dependencies: [absent] },
  noted: [{ t: 'left-out', urn: absent, parent: undefined }],
  targets: [named('res')],
  policy: { preview: true },
};
const checked = { check: { inputs: propertyMap({ k: 2 }), failures: [] } };
const same = {
  ...checked,
  diff: {
    changes: 'none',
    replaceKeys: [],
    changedKeys: [],
    stableKeys: [],
    detailedDiff: undefined,
    deleteBeforeReplace: false,
  },
} as const;

/** Formats a verdict in one line: the action or question, the continuation, and the number of notes. */
function line(verdict: Verdict): string {
  if (verdict.t === 'ask') return `ask ${verdict.question.t}`;
  if (verdict.t !== 'do') return verdict.t;
  const { chain, then, notes } = verdict;
  return [...chain.map(({ kind }) => kind), then, `${notes.length} told`].join(', ');
}

const rows: [string, GivenFacts, string][] = [
  ['a question tells nothing', blamed, 'ask check'],
  ['what is answered tells it', { ...blamed, answers: checked }, 'create, reply, 1 told'],
  ['without anything to tell', { answers: checked }, 'create, reply, 0 told'],
  [
    'an import is gone on with: it is told then',
    { ...blamed, goal: { ...blamed.goal, importId: 'i' } },
    'import, resume, 0 told',
  ],
  [
    'so is a look-up',
    { ...blamed, prior: {}, policy: { preview: true, lookUp: 'all' } },
    'refresh, looked-up, 0 told',
  ],
  [
    'what was only read is taken over',
    { prior: { external: true }, answers: checked },
    'create-replacement, replace, reply, 0 told',
  ],
  [
    'once',
    { prior: { external: true }, answers: { ...same, imported: undefined } },
    'create-replacement, replace, reply, 0 told',
  ],
  [
    'what is as it was stays',
    { prior: { inputs: propertyMap({ k: 2 }) }, answers: same },
    'same, reply, 0 told',
  ],
  [
    'what was looked for in vain is created anew',
    { answers: { ...checked, lookedUp: true } },
    'create, reply, 0 told',
  ],
];

test.each(rows)('%s', (_title, given, expected) => {
  expect(line(decide(factsOf(given)))).toBe(expected);
});

test.each([
  ['an own name', { t: 'vanished', urn: named('res') } as const, 'vanished'],
  ['a former name', { t: 'vanished', urn: named('former') } as const, 'vanished'],
  ['another', { t: 'vanished', urn: named('other') } as const, 'new'],
])('why it is created when this run has looked in vain under %s', (_title, noted, reason) => {
  const verdict = decide(factsOf({ noted: [noted], goal: { aliases: [named('former')] }, answers: checked }));
  expect(verdict.t === 'do' && verdict.chain.map((step) => 'reason' in step && step.reason)).toEqual([
    { t: reason },
  ]);
});

test.each([
  ['in vain', { prior: {} } as GivenFacts, 'vanished'],
  ['where there never was one', {} as GivenFacts, 'new'],
])('why it is created when its own object was looked for %s', (_title, given, reason) => {
  const facts = factsOf({ ...given, answers: { ...checked, lookedUp: true } });
  const verdict = decide({ ...facts, prior: undefined, cell: undefined });
  expect(verdict.t === 'do' && verdict.chain.map((step) => 'reason' in step && step.reason)).toEqual([
    { t: reason },
  ]);
});
