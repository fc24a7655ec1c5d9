import { blankGoal } from '../../test/blank.js';
import { makeUrn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap, propertyMap } from '@cairn/values';
import { Ledger } from '../ledger/ledger.js';
import type { Goal } from '../model/goal.js';
import { priorEntries } from '../prior/entries.js';
import { priorGraph } from '../prior/graph.js';
import { LiveState } from '../record/live-state.js';
import { decide } from './decide.js';
import type { Facts } from './facts.js';
import { scopeFacts } from './scope.js';
import type { Answers, Verdict } from './verdict.js';

const urn = (name: string) => makeUrn({ project: 'p', stack: 's', type: 'a:b:c', name });
const checked = { inputs: propertyMap({ k: 2 }), failures: [] };
const diff = (deleteBeforeReplace: boolean) => ({
  changes: 'some' as const,
  replaceKeys: ['k'],
  changedKeys: ['k'],
  stableKeys: [],
  detailedDiff: undefined,
  deleteBeforeReplace,
});
const replacing: Answers = { check: checked, diff: diff(false) };

interface Given {
  readonly goal?: Partial<Goal>;
  readonly prior?: Partial<ResourceEntry>;
  readonly answers?: Answers;
  /** Entry whose input `in` depends on the resource. */
  readonly dependent?: Partial<ResourceEntry>;
  readonly condemned?: boolean;
  readonly preview?: boolean;
  readonly unexpected?: boolean;
}

function factsOf({ goal, prior, answers, dependent, condemned, preview, unexpected }: Given): Facts {
  const old = resourceEntry({
    urn: urn('res'),
    type: 'a:b:c',
    custom: true,
    id: 'old',
    inputs: propertyMap({ k: 1 }),
    ...prior,
  });
  const other = resourceEntry({
    urn: urn('dep'),
    type: 'a:b:c',
    custom: true,
    id: 'dep',
    inputs: propertyMap({ in: 1 }),
    propertyDependencies: { in: [urn('res')] },
    ...dependent,
  });
  const live = new LiveState(dependent === undefined ? [old] : [old, other]);
  const entries = priorEntries(live.base);
  const view = new Ledger();
  const cell = live.base[0];
  if (condemned === true && cell !== undefined) {
    view.note({ t: 'condemned', cell, reason: { t: 'requested' } });
  }
  return {
    goal: { ...goalOfRes, ...goal },
    prior: old,
    cell,
    oldUrn: old.urn,
    view,
    entries,
    graph: priorGraph(entries),
    scope: scopeFacts({ targets: [], targetDependents: false }),
    policy: {
      ...{ preview: preview ?? false, ignoreProtect: false, mode: 'apply', lookUp: 'none' },
      refusesReplacements: unexpected,
    },
    answers: answers ?? {},
  };
}

const goalOfRes: Goal = {
  ...blankGoal,
  urn: urn('res'),
  type: 'a:b:c',
  name: 'res',
  inputs: propertyMap({ k: 2 }),
};

/** Formats a verdict in one line. */
function line(verdict: Verdict): string {
  switch (verdict.t) {
    case 'ask': {
      const { question } = verdict;
      if (question.t === 'check')
        return `ask ${question.again ? 'second ' : ''}check ${question.olds === undefined ? 'afresh' : 'with olds'}`;
      return `ask ${question.t}`;
    }
    case 'refuse':
      return `refuse ${verdict.diagnostics.map((each) => each.code).join(' ')}`;
    case 'do':
      return [
        ...verdict.chain.map((step) => `${step.kind} ${step.urn.split('::').at(-1)}`),
        ...verdict.notes.map((note) => note.severity),
      ].join(', ');
    default:
      return verdict.t;
  }
}

const dependents = (answer: boolean) => new Map([[`${urn('dep')}\nin`, answer]]);
const both: Answers = { ...replacing, recheck: checked };
const first: Answers = { check: checked, diff: diff(true), recheck: checked };

const rows: [string, Given, string][] = [
  ['first the inputs are checked', {}, 'ask check with olds'],
  ['then they are compared', { answers: { check: checked } }, 'ask diff'],
  ['a replacement checks again, afresh', { answers: replacing }, 'ask second check afresh'],
  ['create-first is the default', { answers: both }, 'create-replacement res, replace res'],
  [
    'the provider may ask for delete-first',
    { answers: first },
    'delete-replaced res, replace res, create-replacement res',
  ],
  [
    'the option wins: create-first',
    { answers: first, goal: { deleteBeforeReplace: false } },
    'create-replacement res, replace res',
  ],
  [
    'the option wins: delete-first',
    { answers: both, goal: { deleteBeforeReplace: true } },
    'delete-replaced res, replace res, create-replacement res',
  ],
  ['delete-first asks about dependents', { answers: first, dependent: {} }, 'ask dependent-diffs'],
  [
    'a dependent that can stay stays',
    { answers: { ...first, dependents: dependents(false) }, dependent: {} },
    'delete-replaced res, replace res, create-replacement res',
  ],
  [
    'a dependent that cannot goes first',
    { answers: { ...first, dependents: dependents(true) }, dependent: {} },
    'delete-replaced dep, delete-replaced res, replace res, create-replacement res',
  ],
  [
    'a protected dependent refuses',
    { answers: { ...first, dependents: dependents(true) }, dependent: { protect: true } },
    'refuse CAIRN-RESOURCE-PROTECTED',
  ],
  [
    'a plain dependency condemns nobody',
    { answers: first, dependent: { propertyDependencies: {}, dependencies: [urn('res')] } },
    'delete-replaced res, replace res, create-replacement res',
  ],
  [
    'deletedWith condemns without asking',
    { answers: first, dependent: { propertyDependencies: {}, deletedWith: urn('res') } },
    'delete-replaced dep, delete-replaced res, replace res, create-replacement res',
  ],
  [
    'protected before and after refuses',
    { answers: replacing, prior: { protect: true }, goal: { protect: true } },
    'refuse CAIRN-RESOURCE-PROTECTED',
  ],
  [
    'preview collects that',
    { answers: both, prior: { protect: true }, goal: { protect: true }, preview: true },
    'create-replacement res, replace res, error',
  ],
  [
    'protected only before goes through',
    { answers: both, prior: { protect: true } },
    'create-replacement res, replace res',
  ],
  [
    'one that is not expected is refused [DEL-8]',
    { answers: replacing, unexpected: true },
    'refuse CAIRN-UNEXPECTED-REPLACEMENT',
  ],
  [
    'preview collects that too',
    { answers: both, unexpected: true, preview: true },
    'create-replacement res, replace res, error',
  ],
  [
    'an import id that is still there refuses',
    { answers: both, prior: { importId: 'x' }, goal: { importId: 'x' } },
    'refuse CAIRN-RESOURCE-OPTION',
  ],
  [
    'preview warns about it',
    { answers: both, prior: { importId: 'x' }, goal: { importId: 'x' }, preview: true },
    'create-replacement res, replace res, warning',
  ],
  ['a tainted object is checked afresh', { prior: { taint: true } }, 'ask check afresh'],
  [
    'a tainted object is replaced without a diff or a second check',
    { prior: { taint: true }, answers: { check: checked } },
    'create-replacement res, replace res',
  ],
  ['deleted ahead: no prior inputs, no diff, no delete', { condemned: true }, 'ask check afresh'],
  [
    'deleted ahead: only created',
    { condemned: true, answers: { check: checked } },
    'replace res, create-replacement res',
  ],
  [
    'a pending replacement is completed',
    { prior: { pendingReplacement: true }, answers: { check: checked } },
    'replace res, create-replacement res',
  ],
  [
    'an external entry is taken over create-first',
    { prior: { external: true }, answers: { check: checked } },
    'create-replacement res, replace res',
  ],
  [
    'a component is compared by its inputs',
    { prior: { custom: false, id: '' }, goal: { custom: false } },
    'update res',
  ],
  [
    'a component without changes is the same',
    { prior: { custom: false, id: '', inputs: emptyMap }, goal: { custom: false, inputs: emptyMap } },
    'same res',
  ],
  [
    'refused inputs refuse',
    { answers: { check: { ...checked, failures: [{ property: 'k', reason: 'no' }] } } },
    'refuse CAIRN-RESOURCE-CHECK',
  ],
];

test.each(rows)('%s [DIFF-9]', (_name, given, expected) => {
  expect(line(decide(factsOf(given)))).toBe(expected);
});
