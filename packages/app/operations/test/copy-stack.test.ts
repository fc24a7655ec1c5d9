import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Backend, Migration, NewSeal, MovingChange, StackId } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import { openChosenBackend } from '../src/access/open-backend.js';
import { copyStack } from '../src/stacks/copy-stack.js';
import { resealedChange } from '../src/stacks/reseal-change.js';
import { operate, withPrepared } from '../src/index.js';
import { setTag } from '../src/stacks.js';
import { codeOf, inStack, portsOf, project, stackWithState } from './library-box.js';

/** A stack is copied between backends of different kinds by what every backend has. */

const FROM: StackId = { project: 'copied', stack: 'dev' };
const plan: Migration = {
  from: FROM,
  to: FROM,
  journals: false,
  force: false,
  onCopied: async () => undefined,
};

/** Returns a backend that lacks what only a store of blobs has, and takes neither history nor changes. */
function asService({ bucket: _, ...backend }: Backend): Backend {
  return {
    ...backend,
    pastChanges: { ...backend.pastChanges, add: async () => ({ outcome: 'refused' }) },
    service: {
      organization: 'acme',
      secretsProvider: () => ({ type: 'service', state: '{}' }),
      requireChanges: async () => undefined,
      addHistory: async () => false,
      sendPreview: async () => undefined,
      consoleLink: async () => '',
      hooks: () => Promise.reject(new Error('not used here')),
      settings: () => Promise.reject(new Error('not used here')),
      schedules: () => Promise.reject(new Error('not used here')),
    },
  };
}

async function backends(name: string): Promise<{ source: Backend; target: Backend }> {
  const cwd = project(`${name}-target`);
  const there = pathToFileURL(path.join(cwd, 'state')).href;
  const ports = portsOf(path.join(cwd, '..', name));
  const url = String(ports.env['CAIRN_BACKEND_URL']);
  const open = (at: string) => openChosenBackend(ports, {}, { url: at, createDirectory: false });
  return { source: await open(url), target: await open(there) };
}

const urns = async (backend: Backend, id: StackId): Promise<readonly string[]> =>
  ((await backend.read(id)).deployment?.resources ?? []).map(({ urn }) => urn);

beforeAll(async () => {
  const cwd = await stackWithState('copied');
  await inStack(portsOf(cwd), (stack) => setTag(stack, 'owner', 'ann'));
  for (const message of ['first', 'second'])
    await withPrepared(portsOf(cwd), {}, (prepared) =>
      operate(prepared, { kind: 'refresh', options: { message } }),
    );
});

test('from a store to a service: state and tags go, and the stack is locked where it was', async () => {
  const { source, target } = await backends('copied');
  const before = await urns(source, FROM);
  const notes = await copyStack(source, asService(target), plan);
  expect(notes.map(({ summary }) => summary)).toEqual([
    `the history of the stack is not copied: it stays in ${source.url}`,
    `the records of changes are not copied: they stay in ${source.url}`,
  ]);
  expect(await urns(target, FROM)).toEqual(before);
  expect(await target.tags(FROM)).toEqual({ owner: 'ann' });
  const locks = (await source.bucket?.locks(FROM)) ?? [];
  expect(locks.map(({ reason }) => reason)).toEqual([`moved to ${target.url} as organization/copied/dev`]);
  expect(await codeOf(copyStack(source, asService(target), plan))).toBe('CAIRN-STATE-LOCKED');
  for (const lock of locks) await source.bucket?.unlock(FROM, lock);
  expect(await codeOf(copyStack(source, asService(target), plan))).toBe('CAIRN-STACK-EXISTS');
  expect([await target.exists(FROM), await source.bucket?.locks(FROM)]).toEqual([true, []]);
  await target.remove(FROM, { force: true });
});

test('from a service to a store, under another name', async () => {
  const { source, target } = await backends('copied');
  const to = { project: 'shop', stack: 'prod' };
  await copyStack(asService(source), target, { ...plan, to });
  const root = 'urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod';
  expect((await urns(target, to))[0]).toBe(root);
  expect(await source.bucket?.locks(FROM)).toEqual([]);
  const kept = await target.history(to);
  expect(kept).toEqual(await source.history(FROM));
  expect(kept).toHaveLength(2);
  const states = await Promise.all(kept.map(({ number }) => target.stateAfter(to, number)));
  expect(states.map((state) => state?.resources[0]?.urn)).toEqual([root, root]);
});

/** Returns everything about the changes of a stack, oldest first. */
const pastOf = async ({ pastChanges, changes }: Backend, id: StackId): Promise<readonly MovingChange[]> => {
  const found = await Promise.all((await changes(id)).map(({ number }) => pastChanges.read(id, number)));
  return found.reverse().filter((each) => each !== undefined);
};

test('changes go with their records, messages and states, and storing the state is the next one', async () => {
  const { source, target } = await backends('copied');
  const to = { project: 'copied', stack: 'changes' };
  const before = await pastOf(source, FROM);
  expect(before.map(({ end }) => end.result)).toEqual(before.map(() => 'succeeded'));
  expect(before.some(({ base }) => base !== undefined)).toBe(true);
  expect(await copyStack(asService(source), target, { ...plan, to })).toEqual([]);
  const after = await pastOf(target, to);
  expect(after.slice(0, -1)).toEqual(
    before.map((change) => ({ ...change, states: expect.objectContaining({}) as unknown })),
  );
  expect(after.at(-1)).toMatchObject({ number: before.length + 1, operation: { operation: 'edit' } });
  const [first, second] = after;
  expect(first?.states.left).toBe(second?.states.base);
  await target.remove(to, { force: true });
});

test('a change that cannot be read stays with a warning, and the others go', async () => {
  const { source, target } = await backends('copied');
  const to = { project: 'copied', stack: 'damaged' };
  const read: Backend['pastChanges']['read'] = async (id, number) => {
    if (number === 1) throw cairnError('CAIRN-JOURNAL-CORRUPT', 'the record is damaged');
    return number === 2 ? undefined : source.pastChanges.read(id, number);
  };
  const damaged = asService({ ...source, pastChanges: { ...source.pastChanges, read } });
  const notes = await copyStack(damaged, target, { ...plan, to });
  expect(notes.map(({ summary, causes }) => [summary, causes])).toEqual([
    [`change 2 is not copied: it stays in ${source.url}`, ['it has not ended']],
    [`change 1 is not copied: it stays in ${source.url}`, ['the record is damaged']],
  ]);
  const kept = (await source.changes(FROM)).map(({ number }) => number).filter((number) => number > 2);
  expect((await target.changes(to)).map(({ number }) => number).slice(1)).toEqual(kept);
  await target.remove(to, { force: true });
});

test('a change that is stored otherwise than it was sent fails the copy, which is removed', async () => {
  const { source, target } = await backends('copied');
  const to = { project: 'copied', stack: 'other' };
  const read: Backend['pastChanges']['read'] = async (id, number) => {
    const change = await target.pastChanges.read(id, number);
    return change && { ...change, records: change.records.slice(1) };
  };
  const other = { ...target, pastChanges: { ...target.pastChanges, read } };
  expect(await codeOf(copyStack(asService(source), other, { ...plan, to }))).toBe('CAIRN-JOURNAL-CORRUPT');
  expect(await target.exists(to)).toBe(false);
});

test('secrets in records, options and keys are sealed again, each by the manager that sealed it', async () => {
  const named = (type: string) => ({ type, state: '{}' });
  const [old, middle, next] = [named('old'), named('middle'), named('next')] as const;
  const asked: string[] = [];
  const seal: NewSeal = {
    secretsProvider: next,
    deployment: async (deployment) => ({ ...deployment, secretsProvider: next }),
    config: async (config) => config,
    json: async (value, { type }) => {
      asked.push(type);
      return JSON.parse(JSON.stringify(value).replaceAll('sealed', `sealed again from ${type}`)) as Json;
    },
  };
  const stamp = (seq: number) => ({ seq, tx: seq, at: '2030-01-01T00:00:00.000Z', record: 'entry' as const });
  const secret = { ciphertext: 'sealed' };
  const change = {
    operation: { kind: 'update', config: {}, options: { secret }, goalKey: 'sealed' },
    records: [
      { ...stamp(1), entry: { state: { inputs: { secret } } } },
      { ...stamp(2), entry: [{ secretsProvider: middle }] },
      { ...stamp(3), entry: { state: { inputs: { secret } } } },
    ],
    base: { secretsProvider: old },
  } as unknown as MovingChange;
  const sealed = await resealedChange(change, seal, undefined);
  const again = (type: string) => ({ ciphertext: `sealed again from ${type}` });
  expect(sealed.operation).toMatchObject({
    ...{ options: { secret: again('old') }, goalKey: 'sealed again from old' },
  });
  expect(sealed.records.map((record) => 'entry' in record && record.entry)).toEqual([
    { state: { inputs: { secret: again('old') } } },
    [{ secretsProvider: next }],
    { state: { inputs: { secret: again('middle') } } },
  ]);
  expect(sealed.base?.secretsProvider).toEqual(next);
  expect(new Set(asked)).toEqual(new Set(['old', 'middle']));
});

test('what fails on the way leaves no copy and no lock', async () => {
  const { source, target } = await backends('copied');
  const broken = { ...target, replace: () => Promise.reject(new Error('full')) };
  await expect(copyStack(source, asService(broken), plan)).rejects.toThrow('full');
  const changing: Migration = {
    ...plan,
    seal: {
      secretsProvider: { type: 'b64', state: '' },
      config: async (config) => config,
      json: async (value) => value,
      deployment: async (deployment) => {
        await source.edit(FROM, (now) => ({ ...now, resources: now.resources.slice(0, 2) }));
        return deployment;
      },
    },
  };
  expect(await codeOf(copyStack(asService(source), target, changing))).toBe('CAIRN-STORE-CONFLICT');
  const unfinished = { ...source, newestChange: async () => (await source.changes(FROM))[0] };
  expect(await codeOf(copyStack(unfinished, target, plan))).toBe('CAIRN-UNFINISHED');
  expect([await target.exists(FROM), await source.bucket?.locks(FROM)]).toEqual([false, []]);
});
