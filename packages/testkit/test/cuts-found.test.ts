import { runRandomCut } from '../src/cut/random-cut.js';
import type { RandomCut } from '../src/cut/random-cut.js';
import type { PriorEntry, WantedOperation, WantedResource } from '../src/fuzz/fuzz-case.js';

/** Cases that random cuts have found, as small as they get. */

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

const CASES: Readonly<Record<string, RandomCut>> = {
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
