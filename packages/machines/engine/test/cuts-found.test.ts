import { runRandomCut } from '@cairn/testkit/cut';
import type { RandomCut } from '@cairn/testkit/cut';
import type { PriorEntry, WantedOperation, WantedResource } from '@cairn/testkit/fuzz';

/** Cases that random cuts have found, minimised. */

const BLANK = {
  kind: 'custom',
  pkg: 'pkgA',
  update: 0,
  replace: 0,
  protect: false,
  retain: false,
  deps: [],
  from: undefined,
  bound: undefined,
  parent: undefined,
  deletedWith: undefined,
  replaceWith: undefined,
  provider: undefined,
} as const;

const entry = (name: number, more: Partial<PriorEntry> = {}): PriorEntry => ({
  ...{ ...BLANK, name, stale: undefined, taint: false, notReady: false, refreshFirst: false },
  ...more,
});

const wanted = (name: number, more: Partial<WantedResource> = {}): WantedResource => ({
  ...{ ...BLANK, name, renamed: false, deleteFirst: undefined, ignoreUpdate: false },
  ...{ promoteUpdate: false, trigger: undefined, imported: false },
  ...more,
});

const up = (
  program: readonly WantedResource[],
  scripts: WantedOperation['scripts'] = {},
  more: Partial<WantedOperation> = {},
): WantedOperation => ({
  kind: 'up',
  ...{ preview: false, runProgram: false, refresh: false, continueOnError: false },
  ...{ ignoreProtect: false, program, scripts, scope: undefined, vanished: [], cancelAt: undefined },
  ...more,
});

const BESIDE_PROTECTED = (
  first: Partial<WantedResource> = {},
  second: Partial<WantedResource> = {},
): readonly WantedResource[] => [
  wanted(2, { protect: true, ...first }),
  wanted(1, { pkg: 'pkgB', ...second }),
  wanted(0, { replace: 1, deps: [1] }),
];
const RETAINED = { replace: 4, retain: true } as const;
const BOX = wanted(4, { kind: 'component', pkg: 'pkgB', replace: 1, promoteUpdate: true, deps: [0] });

const RENAMED = [
  wanted(2, { renamed: true, trigger: 1, deps: [6, 0] }),
  wanted(5, { kind: 'provider', promoteUpdate: true, deps: [6], deletedWith: 2 }),
];

const PROTECTED_BOX = wanted(4, { kind: 'component', protect: true, provider: 1 });

const CASES: Readonly<Record<string, RandomCut>> = {
  'a destroy that isolates, killed in its rollback: a resume brings what was forgotten back with its provider':
    {
      wanted: {
        prior: [],
        operations: [
          up(BESIDE_PROTECTED(), {}, { kind: 'destroy', runProgram: true }),
          up([...BESIDE_PROTECTED({ replace: 5 }), BOX], {}, { refresh: true, ignoreProtect: true }),
          up([...BESIDE_PROTECTED({ replace: 5 }, RETAINED), BOX], {}, { runProgram: true, vanished: [3] }),
          up(
            [...BESIDE_PROTECTED({ replace: 3 }, RETAINED), BOX],
            {},
            { kind: 'destroy', refresh: true, vanished: [1] },
          ),
        ],
      },
      help: 'progress',
      at: [759, 347],
      how: 'resume',
      isolate: 'resource',
    },
  'the same where the program registers the default provider again: what came back with it keeps it': {
    wanted: {
      prior: [],
      operations: [
        up([wanted(0), wanted(1), PROTECTED_BOX]),
        up([wanted(0, { update: 9 }), wanted(1), PROTECTED_BOX]),
        up(
          [
            wanted(0, { update: 9 }),
            wanted(1, { update: 4 }),
            wanted(5, { kind: 'provider', replace: 1, deleteFirst: true, deps: [3], bound: 2 }),
          ],
          {},
          { kind: 'destroy', runProgram: true },
        ),
      ],
    },
    help: 'lookup',
    at: [588, 904],
    how: 'resume',
    isolate: 'resource',
  },
  'a resource that only a resume comes to, and replaces: its replacement is not one too many': {
    wanted: {
      prior: [],
      operations: [
        up([wanted(0), wanted(1, { deps: [0] })]),
        up([wanted(0, { replace: 9 }), wanted(1, { deps: [0] })], {
          r0: { create: 'lost', delete: 'fail' },
          r1: { diff: 'replace', create: 'partial', delete: 'fail', read: 'partial' },
        }),
      ],
    },
    help: 'tokens',
    at: [439, 159],
    how: 'resume',
    isolate: 'resource',
  },
  'a replacement in doubt that is found not ready, and whose provider wants it replaced at every look: once more in the resume':
    {
      wanted: {
        prior: [],
        operations: [
          up([wanted(1)]),
          up([wanted(1, { replace: 2 })], { r1: { diff: 'replace', create: 'partial', read: 'partial' } }),
        ],
      },
      help: 'tokens',
      at: [439, 159],
      how: 'resume',
      isolate: 'resource',
    },
  'an object that went with another one as far as the engine knows, made again by a rollback: one too many, but let go of':
    {
      wanted: {
        prior: [],
        operations: [
          up([wanted(0), wanted(1, { deletedWith: 0 })], { r0: { create: 'lost' }, r1: { read: 'partial' } }),
          up([wanted(0), wanted(1, { deletedWith: 0 })], {}, { kind: 'destroy', runProgram: true }),
        ],
      },
      help: 'lookup',
      at: [807],
      how: 'rollback',
      isolate: 'component',
    },
  'a replacement, of an original that others have deleted, is taken back with the original first': {
    wanted: {
      prior: [entry(0, { stale: 'delete' }), entry(0, { pkg: 'pkgB' })],
      operations: [up([wanted(0, { pkg: 'pkgB', update: 2, replace: 2 })], {}, { vanished: [1] })],
    },
    help: 'nothing',
    at: [930],
    how: 'rollback',
    isolate: 'component',
  },
  'the same of one that was renamed, when a protected resource fails its lane': {
    wanted: {
      prior: [entry(2, { taint: true }), entry(0, { protect: true, deps: [0] })],
      operations: [
        up(
          RENAMED,
          {},
          { kind: 'destroy', runProgram: true, refresh: true, continueOnError: true, vanished: [2] },
        ),
        up(RENAMED, {}, { kind: 'refresh', runProgram: true, vanished: [7] }),
        up(RENAMED, { r1: { diff: 'change', create: 'lost' } }, { continueOnError: true }),
      ],
    },
    help: 'nothing',
    at: [961],
    how: 'resume',
    isolate: 'component',
  },
  'a create that ends in part, of what is retained: its rollback lets it go, and a resume makes it again': {
    wanted: { prior: [], operations: [up([wanted(0, { retain: true })], { r0: { create: 'partial' } })] },
    help: 'nothing',
    at: [923],
    how: 'resume',
    isolate: 'resource',
  },
  'the same beside an entry that the program has dropped': {
    wanted: {
      prior: [entry(0)],
      operations: [
        up([wanted(2, { retain: true })], {
          r2: { diff: 'replace-first', create: 'partial', update: 'lost' },
          r4: { create: 'partial', update: 'fail' },
        }),
      ],
    },
    help: 'lookup',
    at: [944],
    how: 'resume',
    isolate: 'resource',
  },
  'answers to creates that are always lost, of an object that is found not ready and is replaced: nothing would end that':
    {
      wanted: {
        prior: [],
        operations: [up([wanted(1)], { r1: { diff: 'replace-first', create: 'lost', read: 'partial' } })],
      },
      help: 'tokens',
      at: [0],
      how: 'resume',
      isolate: 'resource',
    },
  'a replacement that was made in part, isolated, whose removal gives no answer: its original stays': {
    wanted: {
      prior: [entry(3), entry(0)],
      operations: [
        up([wanted(0), wanted(3, { replace: 2 })]),
        up(
          [wanted(3, { replace: 2 })],
          { r3: { diff: 'replace', create: 'partial', update: 'partial', delete: 'lost' } },
          { refresh: true },
        ),
      ],
    },
    help: 'lookup',
    at: [9, 793],
    how: 'resume',
    isolate: 'component',
  },
  'two creates in doubt in a rollback: what stays beside them keeps its parent': {
    wanted: {
      prior: [entry(1, { replace: 1 }), entry(0, { pkg: 'pkgB' })],
      operations: [
        up(
          [wanted(1), wanted(0, { deps: [4, 0], from: 3, replaceWith: 1 })],
          {},
          { refresh: true, ignoreProtect: true },
        ),
      ],
    },
    help: 'nothing',
    at: [981, 533],
    how: 'rollback',
    isolate: 'component',
  },
  'a read whose provider is gone, and comes back later in the rollback': {
    wanted: {
      prior: [],
      operations: [
        up([
          wanted(0),
          wanted(1, { kind: 'provider' }),
          wanted(6, { kind: 'read', bound: 5, replaceWith: 6, provider: 1 }),
        ]),
        up([
          wanted(0),
          wanted(1, { kind: 'read' }),
          wanted(6, { kind: 'read', replace: 9, bound: 5, replaceWith: 6 }),
        ]),
      ],
    },
    help: 'progress',
    at: [958],
    how: 'rollback',
  },
};

test.each(Object.entries(CASES))('%s', async (_title, cut) => {
  expect(await runRandomCut(cut)).toBeUndefined();
});
