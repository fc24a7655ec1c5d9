import { makeProviderReference } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { entryOf, named, readFactsOf } from '../../test/facts.js';
import { Ledger } from '../ledger/ledger.js';
import type { Cell } from '../model/cell.js';
import { decide } from './decide.js';
import type { Verdict } from './verdict.js';

type Given = Parameters<typeof readFactsOf>[0];

const other = named('other');
const needsOther = { dependencies: [other] };
const leftOut = [{ t: 'left-out', urn: other, parent: undefined }] as const;
const targets = [named('res')];
const managed = { external: false };

/** Formats a verdict in one line: the steps, or the reason why there are none, and the number of notes. */
function line(verdict: Verdict): string {
  switch (verdict.t) {
    case 'do':
      return [...verdict.chain.map(({ kind }) => kind), `${verdict.notes.length} told`].join(', ');
    case 'refuse':
      return `refuse: ${verdict.diagnostics.map(({ code }) => code).join(' ')}`;
    case 'skip':
      return `skip because of ${verdict.because}`;
    case 'leave-out':
      return `leave out ${verdict.stored?.id ?? 'nothing'}`;
    case 'ask':
      return 'ask';
  }
}

/** Reads in the order of their rules [REG-2] [REG-14] [TGT-6] [REF-5] [DEL-7]. */
const rows: [string, Given, string][] = [
  ['what is not in state is read', {}, 'read, 0 told'],
  ['what was read before is read', { prior: { external: true, id: 'old' } }, 'read, 0 told'],
  ['a managed one with this id is read', { prior: { ...managed, id: 'res' } }, 'read, 0 told'],
  [
    'a managed one with another id is replaced',
    { prior: { ...managed, id: 'old' } },
    'read-replacement, replace, 0 told',
  ],
  [
    'one that was deleted first and is not made again is not replaced',
    { prior: { ...managed, id: 'old', pendingReplacement: true } },
    'read, 0 told',
  ],
  ['without an id it is refused', { goal: { id: '' } }, 'refuse: CAIRN-RESOURCE-OPTION'],
  [
    'what it needs has failed: that comes first',
    { goal: { ...needsOther, id: '' }, noted: [{ t: 'failed', urn: other }] },
    `skip because of ${other}`,
  ],
  [
    'what it needs was left out',
    { goal: needsOther, noted: leftOut, targets },
    'refuse: CAIRN-TARGET CAIRN-TARGET',
  ],
  [
    'a preview goes on and tells it',
    { goal: needsOther, noted: leftOut, targets, policy: { preview: true } },
    'read, 1 told',
  ],
  [
    'a preview tells it with what else is wrong',
    { goal: { ...needsOther, id: '' }, noted: leftOut, targets, policy: { preview: true } },
    'refuse: CAIRN-TARGET CAIRN-RESOURCE-OPTION',
  ],
  [
    'something that stays depends on it and is what it needs',
    {
      goal: needsOther,
      prior: { external: true },
      others: [entryOf('other', { dependencies: [named('res')] })],
      targets,
    },
    'refuse: CAIRN-RESOURCE-CYCLE',
  ],
  ['a refresh looks at what is managed', { prior: managed, policy: { mode: 'refresh' } }, 'refresh, 0 told'],
  ['and reads what is not', { prior: { external: true }, policy: { mode: 'refresh' } }, 'read, 0 told'],
  [
    'a destroy replaces what is managed like an up',
    { prior: { ...managed, id: 'old' }, policy: { mode: 'destroy' } },
    'read-replacement, replace, 0 told',
  ],
  [
    'a destroy leaves out what needs something left out',
    { goal: needsOther, noted: leftOut, prior: { external: true }, policy: { mode: 'destroy' } },
    'leave out res',
  ],
  [
    'and what has no id yet',
    { goal: { id: '', idUnknown: true }, policy: { mode: 'refresh' } },
    'leave out nothing',
  ],
  [
    'whose preview refuses it without one',
    { goal: { id: '', idUnknown: true }, policy: { mode: 'refresh', preview: true } },
    'refuse: CAIRN-RESOURCE-OPTION',
  ],
  [
    'a preview of a refresh looks at what is managed, whatever id it gets',
    { goal: { id: '04da', idUnknown: true }, prior: managed, policy: { mode: 'refresh', preview: true } },
    'refresh, 0 told',
  ],
  [
    'a refresh refuses what has no id, though an object is managed under its name',
    { goal: { id: '' }, prior: managed, policy: { mode: 'refresh' } },
    'refuse: CAIRN-RESOURCE-OPTION',
  ],
  ...(['refresh', 'destroy'] as const).flatMap((mode): [string, Given, string][] => [
    [
      `a ${mode} skips what needs something that has failed, before anything else is said of it`,
      { goal: { ...needsOther, id: '' }, noted: [{ t: 'failed', urn: other }], policy: { mode } },
      `skip because of ${other}`,
    ],
    [
      `a ${mode} reads what turns a dependency around, in its former place`,
      {
        goal: needsOther,
        prior: { external: true },
        others: [entryOf('other', { dependencies: [named('res')] })],
        targets,
        policy: { mode },
      },
      'read, 0 told',
    ],
    [
      `a ${mode} refuses what has no id`,
      { goal: { id: '' }, policy: { mode } },
      'refuse: CAIRN-RESOURCE-OPTION',
    ],
  ]),
];

test.each(rows)('%s', (_title, given, expected) => {
  expect(line(decide(readFactsOf(given)))).toBe(expected);
});

test('one whose object is deleted ahead is not replaced once more', () => {
  const facts = readFactsOf({ prior: { ...managed, id: 'old' } });
  const view = new Ledger();
  view.note({ t: 'condemned', cell: facts.cell as Cell, reason: { t: 'taint' } });
  expect(line(decide({ ...facts, view }))).toBe('read, 0 told');
});

const PROVIDER = named('own', 'pulumi:providers:a');
const former = makeProviderReference(named('former', 'pulumi:providers:a'), '1');
const present = makeProviderReference(PROVIDER, '2');
const theirs = { parent: named('old'), dependencies: [named('first')], provider: former };
const goal = { parent: named('new'), dependencies: [other], provider: present };
const needing = entryOf('own', { urn: PROVIDER, id: '2', dependencies: [named('res')] });

/** References that the entry of a read gets: those of the goal, or those of the prior entry [REF-5] [DEL-7]. */
const places: [string, Given, Partial<ResourceEntry>][] = [
  ['an up has those of the goal', { goal, prior: theirs }, goal],
  ...(['refresh', 'destroy'] as const).flatMap((mode): [string, Given, Partial<ResourceEntry>][] => {
    const prior = { ...theirs, external: true };
    const policy = { mode };
    return [
      [`a ${mode} has those of the goal if nothing comes before`, { goal, policy }, goal],
      [
        `a ${mode} keeps the others, and has its provider`,
        { goal, prior, policy },
        { ...theirs, provider: present },
      ],
      [
        `a ${mode} keeps a provider that the goal's needs`,
        { goal, prior, policy, others: [needing] },
        theirs,
      ],
      [
        `a ${mode} has a parent that was found by another name`,
        { goal, prior, policy, oldUrn: named('before') },
        { ...theirs, parent: named('new'), provider: present },
      ],
    ];
  }),
];

test.each(places)('references: %s', (_title, given, expected) => {
  const verdict = decide(readFactsOf(given));
  expect(verdict).toMatchObject({ t: 'do', chain: [{ new: expected }] });
});
