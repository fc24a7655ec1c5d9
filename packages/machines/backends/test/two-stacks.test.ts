import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { symmetricCrypter } from '@cairn/crypters';
import { moveEntries } from '@cairn/state';
import { backendForStore } from '../src/index.js';
import type { Backend, MoveEdit, StackId } from '../src/index.js';
import {
  DEV,
  SECRETS,
  START,
  Recorder,
  failureOf,
  keysOf,
  lease,
  newStack,
  open,
  portsOf,
  providerEntry,
  root,
  textAt,
  thing,
  urnOf,
} from './world.js';

const PROD: StackId = { project: 'shop', stack: 'prod' };

/** Returns a stack with two things, its history and a tag. Every store of it is a copy of the first. */
async function filled(): Promise<{ store: BlobStore; backend: Backend; dead: Set<number> }> {
  const { store, backend, dead } = await newStack();
  const held = await lease(backend);
  const log = await held.begin(START);
  await log.store.append(
    new Recorder().creates(root, providerEntry, thing('a'), thing('b', { dependencies: [urnOf('a')] })),
  );
  await log.finish({ result: 'succeeded', resourceChanges: { create: 4 } });
  await held.release();
  return { store, backend, dead };
}

async function copyOf(store: BlobStore): Promise<BlobStore> {
  const copy = memoryBlobStore();
  for (const key of await keysOf(store))
    await copy.put(key, (await store.get(key))?.bytes ?? new Uint8Array());
  return copy;
}

/** Returns the store of a process that is killed at its n-th write: nothing that it does after that counts. */
function dying(store: BlobStore, writes: number): BlobStore {
  let left = writes;
  const count = <A extends readonly unknown[], R>(write: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('killed')) : write(...args);
    };
  };
  return {
    ...store,
    put: count(store.put.bind(store)),
    copy: count(store.copy.bind(store)),
    delete: count(store.delete.bind(store)),
    openSegment: count(store.openSegment.bind(store)),
  };
}

const idsOf = async (backend: Backend, id: StackId): Promise<readonly string[]> => {
  if (!(await backend.exists(id))) return [];
  const { deployment } = await backend.read(id);
  return (deployment?.resources ?? [])
    .flatMap((each) => (each.id?.startsWith('id-') === true ? [each.id] : []))
    .sort();
};

describe('moving resources to another stack', () => {
  const moveB: MoveEdit = async (source, dest) => {
    const move = moveEntries(source.deployment, dest.deployment, {
      urns: [urnOf('b')],
      includeParents: false,
      to: PROD,
      reseal: (resource) => resource,
      sameProvider: () => true,
    });
    return { source: move.source.deployment, dest: move.dest.deployment, arrived: move.arrived };
  };

  test('is one change in each of them', async () => {
    const { store, backend } = await filled();
    await backend.create(PROD, SECRETS);
    await backend.move(DEV, PROD, moveB, 'state move to prod');
    expect([await idsOf(backend, DEV), await idsOf(backend, PROD)]).toEqual([['id-a'], ['id-b']]);
    for (const id of [DEV, PROD])
      expect((await backend.changes(id))[0]).toMatchObject({
        kind: 'edit',
        summary: 'state move to prod',
        result: 'succeeded',
      });
    expect(await keysOf(store, '.pulumi/locks/')).toEqual([]);
  });

  test('killed at any write it loses nothing, and the next command on the stack finishes or drops it', async () => {
    const { store: before } = await filled();
    await (await open(before, { pid: 11, dead: new Set() })).create(PROD, SECRETS);
    const outcomes = new Set<string>();
    let finished = false;
    for (let writes = 0; !finished; writes += 1) {
      const store = await copyOf(before);
      const dead = new Set<number>();
      const process = await open(dying(store, writes), { pid: 12, dead });
      finished = await process.move(DEV, PROD, moveB, 'state move').then(
        () => true,
        () => false,
      );
      dead.add(12);
      const next = await open(store, { pid: 13, dead });
      const both = new Set([...(await idsOf(next, DEV)), ...(await idsOf(next, PROD))]);
      expect([...both].sort()).toEqual(['id-a', 'id-b']);
      const held = await lease(next);
      await held.release();
      await next.edit(PROD, () => undefined);
      const [here, there] = [await idsOf(next, DEV), await idsOf(next, PROD)];
      outcomes.add(JSON.stringify([here, there]));
      if (
        held.notes.some(({ summary }) =>
          summary.startsWith('finished an interrupted move of 1 resources to stack "prod"'),
        )
      )
        outcomes.add('finished');
      // A stack that has lost the thing, and one that never received it, accept another move.
      if (here.includes('id-b')) await next.move(DEV, PROD, moveB, 'state move');
      expect([await idsOf(next, DEV), await idsOf(next, PROD)]).toEqual([['id-a'], ['id-b']]);
      expect(writes).toBeLessThan(60);
    }
    expect([...outcomes].sort()).toEqual(['[["id-a","id-b"],[]]', '[["id-a"],["id-b"]]', 'finished']);
  });

  test('what is refused changes neither', async () => {
    const { store, backend } = await filled();
    await backend.create(PROD, SECRETS);
    const refused = backend.move(DEV, PROD, async () => Promise.reject(new Error('no')), 'x');
    await expect(refused).rejects.toThrow('no');
    await backend.move(DEV, PROD, async () => undefined, 'x');
    expect((await failureOf(backend.move(DEV, { ...PROD, stack: 'none' }, moveB, 'x'))).code).toBe(
      'CAIRN-STACK-NOT-FOUND',
    );
    expect(await backend.changes(PROD)).toEqual([]);
    expect(await keysOf(store, '.pulumi/locks/')).toEqual([]);
  });
});

describe('renaming a stack [STORE-12]', () => {
  test('takes URNs, history, backups, tags and changes along, and leaves the old checkpoint as .bak', async () => {
    const { store, backend } = await filled();
    await backend.editTags(DEV, () => ({ team: 'web' }));
    await backend.rename(DEV, PROD);
    const { deployment } = await backend.read(PROD);
    expect(deployment?.resources.map((each) => each.urn)).toEqual([
      'urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod',
      'urn:pulumi:prod::shop::pulumi:providers:test::default',
      'urn:pulumi:prod::shop::test:index:Thing::a',
      'urn:pulumi:prod::shop::test:index:Thing::b',
    ]);
    expect(await backend.tags(PROD)).toEqual({ team: 'web' });
    expect(await backend.history(PROD)).toMatchObject([{ number: 1, message: 'first <try>' }]);
    expect(await backend.changes(PROD)).toMatchObject([
      {
        id: '2',
        kind: 'edit',
        result: 'succeeded',
        summary: 'stack rename from dev to prod',
        unfinished: false,
      },
      { id: '1', kind: 'up' },
    ]);
    const old = (await keysOf(store)).filter((key) => /\bdev\b/.test(key));
    expect(old).toEqual(['.pulumi/stacks/shop/dev.json.bak']);
    // Only the name of the document stays, until the next operation.
    const named = '"stack":"organization/shop/dev"';
    const text = await textAt(store, '.pulumi/stacks/shop/prod.json');
    expect(text).toContain(named);
    expect(text.replace(named, '')).not.toContain('dev');
    const held = await backend.lease(PROD, {
      openCrypter: async () => ({ encrypt: String, decrypt: String }),
    });
    expect(held.unfinished).toBeUndefined();
    expect((await failureOf(held.lineage(1))).code).toBe('CAIRN-CHANGE-SUPERSEDED');
    await held.release();
  });

  test('killed at any write it is finished by doing it again', async () => {
    const { store: before, backend } = await filled();
    await backend.editTags(DEV, () => ({ team: 'web' }));
    let finished = false;
    for (let writes = 0; !finished; writes += 1) {
      const store = await copyOf(before);
      const dead = new Set<number>();
      const process = await open(dying(store, writes), { pid: 12, dead });
      finished = await process.rename(DEV, PROD).then(
        () => true,
        () => false,
      );
      dead.add(12);
      const next = await open(store, { pid: 13, dead });
      if (await next.exists(DEV)) await next.rename(DEV, PROD);
      expect([await idsOf(next, DEV), await idsOf(next, PROD)]).toEqual([[], ['id-a', 'id-b']]);
      expect(await next.tags(PROD)).toEqual({ team: 'web' });
      expect(await next.history(PROD)).toHaveLength(1);
      expect((await next.changes(PROD)).map(({ id }) => id)).toEqual(['2', '1']);
      expect(writes).toBeLessThan(80);
    }
  });

  test('of a stack that is sealed leaves nothing in the clear, also where nobody says that it is to be sealed', async () => {
    const store = memoryBlobStore();
    const key = symmetricCrypter(Buffer.alloc(32, 7));
    const sealing = (mode: 'on' | undefined, pid: number): Promise<Backend> =>
      backendForStore(store, {
        ...portsOf({ pid, dead: new Set() }),
        sealing: { mode, open: async () => key },
      });
    const first = await sealing('on', 20);
    await first.create(DEV, SECRETS);
    const held = await lease(first);
    const log = await held.begin(START);
    await log.store.append(new Recorder().creates(root, providerEntry, thing('a'), thing('b')));
    await log.finish({ result: 'succeeded', resourceChanges: {} });
    await held.release();
    const quiet = await sealing(undefined, 21);
    await quiet.rename(DEV, PROD);
    expect(await idsOf(await sealing(undefined, 22), PROD)).toEqual(['id-a', 'id-b']);
    expect(await (await sealing(undefined, 22)).history(PROD)).toHaveLength(1);
    const clear = [];
    for (const each of await keysOf(store))
      if (Buffer.from((await store.get(each))?.bytes ?? []).includes('urn:pulumi')) clear.push(each);
    expect(clear).toEqual([]);
  });

  test('is refused when the name is taken, and while a change is not finished', async () => {
    const { backend, store, dead } = await filled();
    await backend.create(PROD, SECRETS);
    expect((await failureOf(backend.rename(DEV, PROD))).code).toBe('CAIRN-STACK-EXISTS');
    const held = await lease(backend);
    const log = await held.begin(START);
    await log.store.append([new Recorder().begin(1, thing('c'))]);
    dead.add(10);
    const next = await open(store, { pid: 11, dead });
    const refused = await failureOf(next.rename(DEV, { ...PROD, stack: 'new' }));
    expect([refused.code, refused.hint]).toEqual([
      'CAIRN-UNFINISHED',
      expect.stringContaining('cairn resume'),
    ]);
    expect(await next.exists({ ...PROD, stack: 'new' })).toBe(false);
    expect(await next.exists(DEV)).toBe(true);
  });
});

describe('tags [STORE-10]', () => {
  test('have the form of the other tool; without any the file goes', async () => {
    const { store, backend } = await newStack();
    const key = '.pulumi/stacks/shop/dev.pulumi-tags';
    expect(await backend.tags(DEV)).toEqual({});
    await backend.editTags(DEV, (tags) => ({ ...tags, b: '<2>', a: '1' }));
    expect(await textAt(store, key)).toBe('{"version":1,"tags":{"a":"1","b":"<2>"}}');
    await backend.editTags(DEV, ({ a: _a, ...rest }) => rest);
    expect(await backend.tags(DEV)).toEqual({ b: '<2>' });
    await backend.editTags(DEV, () => ({}));
    expect(await store.get(key)).toBeUndefined();
    expect((await failureOf(backend.tags(PROD))).code).toBe('CAIRN-STACK-NOT-FOUND');
  });

  test('what somebody else stored meanwhile is not overwritten', async () => {
    const { store, backend } = await newStack();
    let asked = 0;
    await backend.editTags(DEV, (tags) => {
      asked += 1;
      // The other process is quicker, once.
      if (asked === 1)
        void store.put(
          '.pulumi/stacks/shop/dev.pulumi-tags',
          Buffer.from('{"version":1,"tags":{"theirs":"x"}}'),
        );
      return { ...tags, mine: 'y' };
    });
    expect([await backend.tags(DEV), asked]).toEqual([{ theirs: 'x', mine: 'y' }, 2]);
  });

  test.each([
    '',
    'x',
    '[]',
    '{"version":2,"tags":{}}',
    '{"version":1,"tags":{"a":1}}',
    '{"version":1,"tags":[]}',
  ])('a file with %j is refused and stays', async (text) => {
    const { store, backend } = await newStack();
    const key = '.pulumi/stacks/shop/dev.pulumi-tags';
    await store.put(key, Buffer.from(text));
    expect((await failureOf(backend.tags(DEV))).code).toBe('CAIRN-STATE-CORRUPT');
    expect((await failureOf(backend.editTags(DEV, () => ({ a: 'b' })))).code).toBe('CAIRN-STATE-CORRUPT');
    expect(await textAt(store, key)).toBe(text);
  });
});

test('the state after an update of the history, by its number', async () => {
  const { store, backend } = await filled();
  await backend.edit(DEV, (deployment) => ({ ...deployment, resources: deployment.resources.slice(0, 3) }));
  const held = await lease(backend);
  await (
    await held.begin({ ...START, message: 'second' })
  ).finish({ result: 'succeeded', resourceChanges: {} });
  await held.release();
  expect((await backend.history(DEV)).map(({ number, message }) => [number, message])).toEqual([
    [2, 'second'],
    [1, 'first <try>'],
  ]);
  expect((await backend.history(DEV, { page: 2, size: 1 })).map(({ number }) => number)).toEqual([1]);
  expect((await backend.stateAfter(DEV, 1))?.resources).toHaveLength(4);
  expect((await backend.stateAfter(DEV, 2))?.resources).toHaveLength(3);
  for (const version of [0, 3]) {
    const failure = await failureOf(backend.stateAfter(DEV, version));
    expect([failure.code, failure.hint]).toEqual([
      'CAIRN-USAGE',
      expect.stringContaining('a version from 1 to 2'),
    ]);
  }
  for (const key of await keysOf(store, '.pulumi/history/'))
    if (key.includes('.checkpoint.')) await store.delete(key);
  expect((await failureOf(backend.stateAfter(DEV, 1))).code).toBe('CAIRN-USAGE');
});
