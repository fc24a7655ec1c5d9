import { makeUrn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { EngineEvent, StepKind, StepView } from '@cairn/engine';
import { resourceEntry } from '@cairn/state';
import { OperationView } from './operation-view.js';

const urnOf = (name: string) => makeUrn({ stack: 'dev', project: 'shop', type: 'a:b:Page', name });
function step(kind: StepKind, name = 'index', more: Partial<StepView> = {}): StepView {
  const urn = urnOf(name);
  return {
    ...{ kind, urn, type: 'a:b:Page', provider: undefined, old: undefined },
    new: resourceEntry({ urn, type: 'a:b:Page', custom: true }),
    ...{ replaceKeys: [], changedKeys: [], detailedDiff: undefined, refreshResult: undefined },
    reason: { t: 'new' },
    ...more,
  };
}
const started = (view: StepView): EngineEvent => ({ t: 'step-started', step: view, planning: false });
const ended = (view: StepView): EngineEvent => ({
  ...{ t: 'step-ended', step: view, planning: false, elapsedMs: 5 },
});
const failed = (view: StepView): EngineEvent => ({
  ...{ t: 'step-failed', step: view, inDoubt: false, elapsedMs: 5 },
});
const message = (name: string): EngineEvent => ({
  t: 'diagnostic',
  diagnostic: errorDiagnostic('CAIRN-RESOURCE-FAILED', 'no room', { urn: urnOf(name) }),
  ...{ streamId: 0, ephemeral: false },
});

/** Returns a view after events that are one second apart. */
function viewOf(
  events: readonly EngineEvent[],
  { keepsRows = true, keepsChanges = true, showReads = false, showSames = false, urns = false } = {},
): OperationView {
  const listing = { showReads, showSames, urns };
  const view = new OperationView({ ...{ keepsRows, keepsChanges, listing, cwd: '/shop', unicode: true } });
  events.forEach((event, index) => view.take(event, index * 1000));
  return view;
}

test('an event returns the row that it changed', () => {
  const view = viewOf([]);
  expect(view.take(started(step('create')), 0)).toBe(view.rows.byUrn.get(urnOf('index')));
  expect(view.take(message('index'), 0)).toMatchObject({ name: 'index', message: 'no room' });
  expect(view.take(message('other'), 0)).toBeUndefined();
});

describe('changes', () => {
  const changesOf = (view: OperationView) =>
    view.changes().map(({ row, step: { kind } }) => `${row.name}: ${row.kind} by ${kind}`);

  test.each<[string, readonly EngineEvent[], readonly string[]]>([
    ['a running step is none yet', [started(step('create'))], []],
    ['an ended one is', [started(step('create')), ended(step('create'))], ['index: create by create']],
    ['a failed one is', [failed(step('update'))], ['index: update by update']],
    ['an unchanged resource is none', [ended(step('same'))], []],
    ['a failed one without a change is', [failed(step('same'))], ['index: same by same']],
    [
      'a replacement is one, by its most significant step',
      [ended(step('create-replacement')), ended(step('replace')), ended(step('delete-replaced'))],
      ['index: replace by replace'],
    ],
    [
      'a look-up gives way to the update after it',
      [ended(step('refresh', 'index', { refreshResult: 'update' })), ended(step('update'))],
      ['index: update by update'],
    ],
    [
      'in order of appearance, with the rows as they are now',
      [ended(step('create', 'b')), ended(step('create', 'a')), message('b')],
      ['b: create by create', 'a: create by create'],
    ],
  ])('%s', (_title, events, changes) => expect(changesOf(viewOf(events))).toEqual(changes));

  test('have the message that came after their step', () =>
    expect(viewOf([ended(step('create')), message('index')]).changes()[0]?.row.message).toBe('no room'));

  test('contain resources that are read if these are listed, and never unchanged ones', () => {
    const events = [ended(step('read', 'found')), ended(step('same', 'kept'))];
    expect(changesOf(viewOf(events, { showSames: true }))).toEqual([]);
    expect(changesOf(viewOf(events, { showReads: true, showSames: true }))).toEqual(['found: read by read']);
  });

  test('are named by their URNs on request', () => {
    const [change] = viewOf([ended(step('create'))], { urns: true }).changes();
    expect(change?.row.name).toBe(urnOf('index'));
  });
});

test('running steps have their durations, in the order of their starts', () => {
  const both = [started(step('delete', 'a')), started(step('create', 'b')), started(step('create', 'a'))];
  const view = viewOf([...both, ended(step('delete', 'a'))]);
  expect(view.running(13_000)).toEqual(['create b (12s)', 'create a (11s)']);
});

describe('memory', () => {
  const names = Array.from({ length: 1000 }, (_, index) => `page-${index}`);
  const events = names.flatMap((name) => [started(step('update', name)), ended(step('update', name))]);

  test('of output for programs holds nothing for a resource that is done, but counts it', () => {
    const view = viewOf(events, { keepsRows: false, keepsChanges: false });
    expect([view.rows.byUrn.size, view.changes().length, view.running(0).length]).toEqual([0, 0, 0]);
    expect(view.tally.ended).toBe(1000);
  });

  test('without files about the changes holds a row for each resource, and no step besides', () => {
    const view = viewOf(events, { keepsChanges: false });
    expect([view.rows.byUrn.size, view.changes().length]).toEqual([1000, 0]);
  });
});
