import { makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ChangeRecord, RecordBody } from '@cairn/changes';
import { nopCrypter } from '@cairn/crypters';
import {
  decodeResource,
  emptyDeployment,
  emptySnapshot,
  encodeEntry,
  encodeJournalEntry,
  pendingName,
  resourceEntry,
} from '@cairn/state';
import type { JournalEntry, PendingOperationType, ResourceEntry, SerializedResource } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import { taskKey } from '../model/history.js';
import { readPast } from './read-past.js';
import { stepsInDoubt } from './steps-in-doubt.js';
import { touchedUrns } from './touched.js';
import { IN_DOUBT } from '../model/history.js';

const TYPE = 'pkgA:m:typA';

function urnOf(name: string): Urn {
  return makeUrn({ project: 'p', stack: 's', parent: undefined, type: TYPE, name });
}

function entryOf(name: string, more: Partial<ResourceEntry> = {}): ResourceEntry {
  return resourceEntry({
    urn: urnOf(name),
    type: TYPE,
    custom: true,
    inputs: propertyMap({ name }),
    ...more,
  });
}

let sequence = 0;
function sealed(entry: Omit<JournalEntry, 'sequenceId'>): unknown {
  sequence += 1;
  return encodeJournalEntry({ ...entry, sequenceId: sequence }, nopCrypter);
}

function begin(type: PendingOperationType, resource: ResourceEntry, operationId = 1): unknown {
  return sealed({ kind: 'begin', operationId, operation: { type, resource } });
}

/** Records of one change from their bodies. */
function records(...bodies: readonly RecordBody[]): readonly ChangeRecord[] {
  const all: readonly RecordBody[] = [
    { record: 'change', id: 'uuid', kind: 'up', summary: 'up', scope: 'o/p/s', growing: true },
    ...bodies,
  ];
  return all.map((body, index) => ({
    ...body,
    seq: index + 1,
    tx: index + 1,
    at: '2030-01-01T00:00:00.000Z',
  }));
}

const open = (resource: SerializedResource) => decodeResource(resource, nopCrypter, 'journal');
const task = (id: string, name: string, more: object = {}): RecordBody => ({
  record: 'task',
  id,
  kind: 'create',
  summary: `create ${name}`,
  data: { urn: urnOf(name), ...more },
});
const intent = (id: string, entry?: unknown, generation?: number): RecordBody => ({
  record: 'intent',
  task: id,
  direction: 'do',
  status: 'doing',
  attempt: 1,
  ...(generation !== undefined && { generation }),
  ...(entry !== undefined && { entry }),
});
const outcome = (
  id: string,
  result: 'ok' | 'error' | 'unknown',
  status: 'done' | 'error' | 'wait',
): RecordBody => ({
  record: 'outcome',
  task: id,
  direction: 'do',
  result,
  status,
  ms: 1,
  ...(status === 'wait' && { waited: 'do' as const }),
});

describe('tasks of earlier changes', () => {
  const one = records(
    task('1', 'a', { goal: 'digest-a' }),
    task('2', 'b', { rollback: 'hold' }),
    task('3', 'c'),
    task('4', 'd'),
    { record: 'task', id: '5', kind: 'odd', summary: 'no resource' },
    intent('1', begin('creating', entryOf('a'))),
    outcome('1', 'ok', 'done'),
    intent('2', begin('creating', entryOf('b'))),
    { record: 'progress-id', task: '2', id: 'op-9' },
    intent('3', begin('creating', entryOf('c'))),
    outcome('3', 'unknown', 'wait'),
    intent('4', begin('creating', entryOf('d'))),
    outcome('4', 'error', 'error'),
  );

  test('say what was done, what failed and what nobody knows', () => {
    const past = readPast([{ change: '00000007', records: one }], open);
    expect(past.map(({ id, status, doubt }) => [id, status, doubt?.type])).toEqual([
      ['1', 'done', undefined],
      ['2', 'doing', 'creating'],
      ['3', 'wait', 'creating'],
      ['4', 'error', undefined],
    ]);
    expect(past[0]).toMatchObject({ goal: 'digest-a', rollback: undefined, undone: false });
    expect(past[1]).toMatchObject({ rollback: 'hold', doubt: { progressId: 'op-9', direction: 'do' } });
    expect(past[1]?.doubt?.resource.inputs).toEqual({ name: 'b' });
    expect(past.map(taskKey)).toEqual(['7/1', '7/2', '7/3', '7/4']);
  });

  test('the token is that of the start in doubt: every start and every definite failure has its own', () => {
    const again = records(
      task('1', 'a'),
      task('2', 'b'),
      intent('1', begin('creating', entryOf('a'))),
      intent('2', begin('creating', entryOf('b')), 1),
    );
    const tokens = [one, again].flatMap((each) =>
      readPast([{ change: '7', records: each }], open).flatMap(({ doubt }) => doubt?.token ?? []),
    );
    expect(new Set(tokens).size).toBe(4);
    for (const token of tokens) expect(token).toMatch(/^[a-z2-7]{52}$/);
    expect(readPast([{ change: '9', records: one }], open)[1]?.doubt?.token).toBe(tokens[0]);
  });

  test('a resolution that ended settles the step; one in doubt itself carries it on with its token', () => {
    const resolver = (status: 'done' | 'wait'): readonly ChangeRecord[] =>
      records(
        { ...task('1', 'b', { resolves: '7/2', token: 'first' }), kind: IN_DOUBT } as RecordBody,
        intent('1', begin('creating', entryOf('b'))),
        { ...outcome('1', 'ok', status), ...(status === 'wait' && { result: 'wait' }) } as RecordBody,
      );
    const inDoubt = (status: 'done' | 'wait') =>
      readPast(
        [
          { change: '7', records: one },
          { change: '8', records: resolver(status) },
        ],
        open,
      )
        .filter(({ doubt }) => doubt !== undefined)
        .map((past) => [taskKey(past), past.doubt?.token.slice(0, 5)]);
    expect(inDoubt('done').map(([key]) => key)).toEqual(['7/3']);
    expect(inDoubt('wait')).toContainEqual(['8/1', 'first']);
    expect(inDoubt('wait').map(([key]) => key)).toEqual(['7/3', '8/1']);
  });

  test('a resolution that was stopped before it started settles nothing', () => {
    const stopped = records(
      { ...task('1', 'b', { resolves: '7/2', token: 'first' }), kind: IN_DOUBT } as RecordBody,
      { record: 'status', task: '1', status: 'hold', reason: 'the operation was cancelled' },
    );
    const past = readPast(
      [
        { change: '7', records: one },
        { change: '8', records: stopped },
      ],
      open,
    );
    expect(past.filter(({ doubt }) => doubt !== undefined).map(taskKey)).toEqual(['7/2', '7/3']);
  });

  test('what finds out about a step of a lineage that is not at hand says nothing of goals: they have another key', () => {
    const resolver = records(task('1', 'b', { resolves: '7/2', goal: 'under another key' }));
    const alone = readPast([{ change: '8', records: resolver }], open);
    expect(alone.map(({ goal }) => goal)).toEqual([undefined]);
    const both = readPast(
      [
        { change: '7', records: one },
        { change: '8', records: resolver },
      ],
      open,
    );
    expect(both.at(-1)?.goal).toBe('under another key');
  });
});

describe('steps in doubt', () => {
  const past = readPast(
    [
      {
        change: '7',
        records: records(
          task('1', 'a'),
          { ...task('2', 'b'), kind: 'update' } as RecordBody,
          intent('1', begin('creating', entryOf('a'))),
          intent('2', begin('updating', entryOf('b', { id: 'id-b' }), 2)),
        ),
      },
    ],
    open,
  );
  const creating = (name: string) => ({ type: 'creating' as const, resource: entryOf(name) });

  test('a create counts while the state has it pending; other steps count by their records', () => {
    expect(stepsInDoubt(past, emptySnapshot).map(taskKey)).toEqual(['7/2']);
    expect(stepsInDoubt(past, { ...emptySnapshot, pendingOperations: [creating('a')] }).map(taskKey)).toEqual(
      ['7/1', '7/2'],
    );
  });

  test('each object of a resource that was on its way out is in doubt on its own, and once', () => {
    const leaving = (id: string) => entryOf('a', { id, delete: true });
    const deletes = (...ids: readonly string[]) =>
      records(
        ...ids.flatMap((id, at): RecordBody[] => [
          { ...task(String(at + 1), 'a'), kind: 'delete-replaced' } as RecordBody,
          intent(String(at + 1), begin('deleting', leaving(id), at + 1)),
        ]),
      );
    const twice = readPast(
      [
        { change: '7', records: deletes('x', 'y') },
        { change: '8', records: deletes('y') },
      ],
      open,
    );
    const pendingOperations = ['x', 'y', 'z'].map((id) => ({
      type: 'deleting' as const,
      resource: leaving(id),
    }));
    const steps = stepsInDoubt(twice, { ...emptySnapshot, pendingOperations });
    expect(steps.map((step) => [taskKey(step), step.doubt?.resource.id])).toEqual([
      ['7/1', 'x'],
      ['8/1', 'y'],
      [`state/${pendingName({ type: 'deleting', resource: leaving('z') })}`, 'z'],
    ]);
  });

  test('a step whose resource was renamed since is the one that the state has under the new name', () => {
    const leaving = (name: string): ResourceEntry => entryOf(name, { id: 'x', delete: true });
    const begun = records(task('1', 'was'), intent('1', begin('deleting', leaving('was'), 1)));
    const renamed = { type: 'deleting' as const, resource: leaving('now') };
    const found = readPast([{ change: '7', records: begun }], open);
    const steps = stepsInDoubt(found, { ...emptySnapshot, pendingOperations: [renamed] });
    expect(steps.map(taskKey)).toEqual(['7/1']);
    expect(steps[0]).toMatchObject({
      urn: urnOf('now'),
      doubt: { resource: { urn: urnOf('now'), id: 'x' } },
    });
  });

  test('what only the state knows of is in doubt as well, each step once', () => {
    const pendingOperations = [creating('x'), creating('a'), creating('x')];
    const steps = stepsInDoubt(past, { ...emptySnapshot, pendingOperations });
    expect(steps.map(taskKey)).toEqual(['7/1', '7/2', `state/${pendingName(creating('x'))}`]);
    expect(steps[2]).toMatchObject({ urn: urnOf('x'), doubt: { type: 'creating', token: '' } });
  });
});

test('touched are the URNs of tasks, of states and of places in the stack as it was', () => {
  const resources = ['a', 'b', 'c'].map((name) =>
    encodeEntry(entryOf(name, { id: `id-${name}` }), nopCrypter),
  );
  const change = records(
    task('1', 'e'),
    { record: 'entry', entry: sealed({ kind: 'success', operationId: 1, removeOld: 0 }) },
    { record: 'entry', entry: sealed({ kind: 'rebuilt-base-state', operationId: 0 }) },
    // The base is b, c from here on.
    { record: 'entry', entry: sealed({ kind: 'success', operationId: 2, removeOld: 1 }) },
    {
      record: 'entry',
      entry: sealed({ kind: 'success', operationId: 3, state: entryOf('d', { id: 'id-d' }) }),
    },
  );
  const base = { ...emptyDeployment, resources };
  expect([...touchedUrns([{ change: '7', records: change, base }])].sort()).toEqual(
    ['a', 'c', 'd', 'e'].map(urnOf).sort(),
  );
});

test('touched is also the former name of what a begun step renames', () => {
  const renamed = entryOf('new', { id: 'id', aliases: [urnOf('old')] });
  const change = records(task('1', 'new'), intent('1', begin('updating', renamed, 1)));
  expect([...touchedUrns([{ change: '7', records: change, base: undefined }])]).toEqual(
    ['new', 'old'].map(urnOf),
  );
});
