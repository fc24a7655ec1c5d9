import assert from 'node:assert/strict';
import type { BlobStore, Segment } from './blob-store.js';

/**
 * Requirement for every blob store. `run` receives an empty store and throws an `AssertionError` if the requirement is
 * not met.
 */
interface ContractScenario {
  readonly title: string;
  readonly run: (store: BlobStore) => Promise<void>;
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

async function textAt(store: BlobStore, key: string): Promise<string | undefined> {
  const blob = await store.get(key);
  return blob === undefined ? undefined : Buffer.from(blob.bytes).toString();
}

async function keysOf(store: BlobStore, prefix: string): Promise<readonly string[]> {
  return (await store.list(prefix)).map((row) => row.key);
}

async function putOk(store: BlobStore, key: string, text: string): Promise<string> {
  const result = await store.put(key, bytes(text));
  assert(result.ok);
  return result.version;
}

const isLeaseLost = (thrown: unknown): boolean =>
  (thrown as { diagnostics?: readonly { code: string }[] }).diagnostics?.[0]?.code === 'CAIRN-LEASE-LOST';

async function openOk(store: BlobStore, key: string): Promise<Segment> {
  const result = await store.openSegment(key, { create: 'exclusive' });
  assert(result.ok);
  return result.segment;
}

/**
 * The contract of `blob-store.ts` as scenarios, for the tests of every store:
 * `test.each(blobStoreContract)('$title', async ({ run }) => run(await emptyStore()))`. Depends on no test runner.
 */
export const blobStoreContract: readonly ContractScenario[] = [
  {
    title: 'get of a missing key is undefined',
    run: async (store) => {
      assert.equal(await store.get('a/b.json'), undefined);
    },
  },
  {
    title: 'put then get returns the same bytes, also of binary and empty blobs',
    run: async (store) => {
      const all = Uint8Array.from({ length: 256 }, (_, i) => i);
      await store.put('dir/all.bin', all);
      await store.put('dir/empty', new Uint8Array());
      assert.deepEqual(Buffer.from((await store.get('dir/all.bin'))?.bytes ?? []), Buffer.from(all));
      assert.equal(await textAt(store, 'dir/empty'), '');
    },
  },
  {
    title: 'put replaces the whole blob',
    run: async (store) => {
      await putOk(store, 'a', 'a long first content');
      await putOk(store, 'a', 'short');
      assert.equal(await textAt(store, 'a'), 'short');
    },
  },
  {
    title: 'the version of put is the version that get reports, and differs by content',
    run: async (store) => {
      const first = await putOk(store, 'a', 'one');
      assert.equal((await store.get('a'))?.version, first);
      const second = await putOk(store, 'a', 'two');
      assert.notEqual(second, first);
      assert.equal((await store.get('a'))?.version, second);
    },
  },
  {
    title: 'altering the buffer after put does not alter the blob',
    run: async (store) => {
      const buffer = Buffer.from('before');
      await store.put('a', buffer);
      buffer.write('after!');
      assert.equal(await textAt(store, 'a'), 'before');
    },
  },
  {
    title: 'ifAbsent writes once',
    run: async (store) => {
      assert.equal((await store.put('x/a', bytes('one'), { ifAbsent: true })).ok, true);
      assert.deepEqual(await store.put('x/a', bytes('two'), { ifAbsent: true }), {
        ok: false,
        reason: 'exists',
      });
      assert.equal(await textAt(store, 'x/a'), 'one');
    },
  },
  {
    title: 'of many ifAbsent puts at once exactly one succeeds, and its content stands',
    run: async (store) => {
      const writers = Array.from({ length: 12 }, (_, i) => i);
      const results = await Promise.all(
        writers.map((i) => store.put('race', bytes(`writer ${i}`), { ifAbsent: true })),
      );
      const winners = writers.filter((i) => results[i]?.ok);
      assert.equal(winners.length, 1);
      assert.equal(await textAt(store, 'race'), `writer ${winners[0]}`);
    },
  },
  {
    title: 'ifVersion writes over that version only',
    run: async (store) => {
      const first = await putOk(store, 'a', 'one');
      const second = await store.put('a', bytes('two'), { ifVersion: first });
      assert.equal(second.ok, true);
      assert.deepEqual(await store.put('a', bytes('three'), { ifVersion: first }), {
        ok: false,
        reason: 'changed',
      });
      assert.equal(await textAt(store, 'a'), 'two');
    },
  },
  {
    title: 'ifVersion on a missing blob fails as missing and writes nothing',
    run: async (store) => {
      const version = await putOk(store, 'a', 'one');
      await store.delete('a');
      assert.deepEqual(await store.put('a', bytes('two'), { ifVersion: version }), {
        ok: false,
        reason: 'missing',
      });
      assert.equal(await store.get('a'), undefined);
    },
  },
  {
    title: 'counting up with ifVersion from many writers loses no count',
    run: async (store) => {
      await putOk(store, 'count', '0');
      const countUp = async (writer: number): Promise<void> => {
        for (;;) {
          const blob = await store.get('count');
          assert(blob);
          const next = Number.parseInt(Buffer.from(blob.bytes).toString(), 10) + 1;
          // Contents that must distinguish writers need a unique part (see `put`).
          const text = `${next} by writer ${writer}`;
          if ((await store.put('count', bytes(text), { ifVersion: blob.version })).ok) return;
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, writer) => countUp(writer)));
      assert.match((await textAt(store, 'count')) ?? '', /^8 by/);
    },
  },
  {
    title: 'list returns the keys with the prefix in byte order, with sizes',
    run: async (store) => {
      for (const key of [
        's/p/dev.json',
        's/p/dev.json.bak',
        's/p/b',
        's/p2/x',
        's/p/é',
        's/p/\u{1f600}',
        's/p/\uffee',
        't',
      ])
        await putOk(store, key, key);
      assert.deepEqual(await keysOf(store, 's/p/'), [
        's/p/b',
        's/p/dev.json',
        's/p/dev.json.bak',
        's/p/é',
        's/p/\uffee',
        's/p/\u{1f600}',
      ]);
      assert.deepEqual(await keysOf(store, 's/p/dev.json'), ['s/p/dev.json', 's/p/dev.json.bak']);
      assert.deepEqual(await keysOf(store, 's/p2'), ['s/p2/x']);
      assert.equal((await keysOf(store, '')).length, 8);
      assert.deepEqual(await keysOf(store, 'nothing/'), []);
      assert.equal((await store.list('s/p/b'))[0]?.size, 5);
    },
  },
  {
    title: 'listing and get agree on the modification time',
    run: async (store) => {
      await putOk(store, 'a', 'one');
      const [row] = await store.list('a');
      assert(row);
      assert.equal(row.modified, (await store.get('a'))?.modified);
    },
  },
  {
    title: 'delete removes the blob and says whether there was one',
    run: async (store) => {
      await putOk(store, 'd/a', 'one');
      assert.deepEqual(await store.delete('d/a'), { ok: true, existed: true });
      assert.deepEqual(await store.delete('d/a'), { ok: true, existed: false });
      assert.deepEqual(await store.delete('never/there'), { ok: true, existed: false });
      assert.deepEqual(await keysOf(store, ''), []);
    },
  },
  {
    title: 'delete with ifVersion spares another content',
    run: async (store) => {
      const first = await putOk(store, 'a', 'one');
      const second = await putOk(store, 'a', 'two');
      assert.deepEqual(await store.delete('a', { ifVersion: first }), { ok: false, reason: 'changed' });
      assert.equal(await textAt(store, 'a'), 'two');
      assert.deepEqual(await store.delete('a', { ifVersion: second }), { ok: true, existed: true });
      assert.deepEqual(await store.delete('a', { ifVersion: second }), { ok: false, reason: 'missing' });
    },
  },
  {
    title: 'copy writes the same bytes over the target',
    run: async (store) => {
      await putOk(store, 'from', 'new');
      await putOk(store, 'x/to', 'an older and longer content');
      assert.deepEqual(await store.copy('from', 'x/to'), { ok: true });
      assert.equal(await textAt(store, 'x/to'), 'new');
      assert.equal(await textAt(store, 'from'), 'new');
    },
  },
  {
    title: 'copy with ifVersion copies that content and no other, and leaves the target otherwise',
    run: async (store) => {
      const first = await putOk(store, 'from', 'one');
      await putOk(store, 'to', 'stays');
      const second = await putOk(store, 'from', 'two');
      assert.deepEqual(await store.copy('from', 'to', { ifVersion: first }), {
        ok: false,
        reason: 'changed',
      });
      assert.equal(await textAt(store, 'to'), 'stays');
      assert.deepEqual(await store.copy('from', 'to', { ifVersion: second }), { ok: true });
      assert.equal(await textAt(store, 'to'), 'two');
      assert.deepEqual(await store.copy('none', 'to', { ifVersion: second }), {
        ok: false,
        reason: 'missing',
      });
    },
  },
  {
    title: 'copy of a missing blob is missing and leaves the target',
    run: async (store) => {
      await putOk(store, 'to', 'stays');
      assert.deepEqual(await store.copy('from', 'to'), { ok: false, reason: 'missing' });
      assert.equal(await textAt(store, 'to'), 'stays');
    },
  },
  {
    title: 'a segment reads as its appends, in call order',
    run: async (store) => {
      const segment = await openOk(store, 'j/0001');
      await Promise.all(Array.from({ length: 50 }, (_, i) => segment.append(bytes(`${i}\n`))));
      await segment.append(bytes('last'));
      const expected = `${Array.from({ length: 50 }, (_, i) => `${i}\n`).join('')}last`;
      assert.equal(await textAt(store, 'j/0001'), expected);
      assert.equal(segment.durableSize, expected.length);
      assert.deepEqual(await store.list('j/'), [
        { ...(await store.list('j/'))[0], key: 'j/0001', size: expected.length },
      ]);
      await segment.close();
      await segment.close();
      assert.equal(await textAt(store, 'j/0001'), expected);
    },
  },
  {
    title: 'reading from an offset gives what was appended since',
    run: async (store) => {
      if (store.getFrom === undefined) return;
      assert.equal(await store.getFrom('j/0001', 0), undefined);
      const segment = await openOk(store, 'j/0001');
      await segment.append(bytes('one'));
      const text = async (offset: number): Promise<string> =>
        Buffer.from((await store.getFrom?.('j/0001', offset)) ?? []).toString('utf8');
      assert.deepEqual([await text(0), await text(1), await text(3), await text(9)], ['one', 'ne', '', '']);
      await segment.append(bytes('two'));
      assert.equal(await text(3), 'two');
      await segment.close();
    },
  },
  {
    title: 'the ends of a blob are read without the rest',
    run: async (store) => {
      if (store.getEnds === undefined) return;
      assert.equal(await store.getEnds('a', 3), undefined);
      await store.put('a', bytes('0123456789'));
      const ends = async (most: number) => {
        const { start, end, size } = (await store.getEnds?.('a', most)) ?? {};
        return [start, end].map((part) => Buffer.from(part ?? []).toString('utf8')).concat(String(size));
      };
      assert.deepEqual(
        [await ends(3), await ends(12)],
        [
          ['012', '789', '10'],
          ['0123456789', '0123456789', '10'],
        ],
      );
    },
  },
  {
    title: 'the start of a blob and its row in a listing have the version of all of it',
    run: async (store) => {
      if (store.getStart === undefined) return;
      assert.equal(await store.getStart('a', 3), undefined);
      await store.put('a', bytes('0123456789'));
      const version = (await store.get('a'))?.version;
      for (const most of [3, 12]) {
        const start = await store.getStart('a', most);
        assert.equal(Buffer.from(start?.bytes ?? []).toString('utf8'), '0123456789'.slice(0, most));
        assert.equal(start?.version, version);
      }
      assert.equal((await store.list('a'))[0]?.version, version);
    },
  },
  {
    title: 'a segment exists from its creation, and only one writer gets it',
    run: async (store) => {
      const results = await Promise.all(
        Array.from({ length: 6 }, () => store.openSegment('j/0001', { create: 'exclusive' })),
      );
      assert.equal(results.filter((result) => result.ok).length, 1);
      assert.equal(await textAt(store, 'j/0001'), '');
      assert.deepEqual(await store.put('j/0001', bytes('x'), { ifAbsent: true }), {
        ok: false,
        reason: 'exists',
      });
      for (const result of results) if (result.ok) await result.segment.close();
      assert.deepEqual(await store.openSegment('j/0001', { create: 'exclusive' }), {
        ok: false,
        reason: 'exists',
      });
    },
  },
  {
    title: 'close waits for appends under way, and appending afterwards is refused',
    run: async (store) => {
      const segment = await openOk(store, 'j/0001');
      const append = segment.append(bytes('kept'));
      await segment.close();
      await append;
      assert.equal(await textAt(store, 'j/0001'), 'kept');
      await assert.rejects(segment.append(bytes('lost')), { name: 'BugError' });
    },
  },
  {
    title: 'a fenced segment keeps what was durable, takes nothing more, and can be read and deleted',
    run: async (store) => {
      if (store.fenceSegment === undefined) return;
      const segment = await openOk(store, 'j/0001');
      await segment.append(bytes('kept'));
      await store.fenceSegment('j/0001');
      await assert.rejects(segment.append(bytes('late')), isLeaseLost);
      await assert.rejects(segment.append(bytes('later')), isLeaseLost);
      assert.equal(await textAt(store, 'j/0001'), 'kept');
      await store.fenceSegment('j/0001');
      await segment.close();
      assert.equal(await textAt(store, 'j/0001'), 'kept');
      assert.deepEqual(await keysOf(store, 'j/'), ['j/0001']);
      assert.deepEqual(await store.openSegment('j/0001', { create: 'exclusive' }), {
        ok: false,
        reason: 'exists',
      });
      assert.deepEqual(await store.delete('j/0001'), { ok: true, existed: true });
      const again = await openOk(store, 'j/0001');
      await again.append(bytes('new'));
      await again.close();
      assert.equal(await textAt(store, 'j/0001'), 'new');
    },
  },
  {
    title: 'fencing what is not there leaves nothing there',
    run: async (store) => {
      await store.fenceSegment?.('j/0001');
      assert.deepEqual(await keysOf(store, 'j/'), []);
    },
  },
  {
    title: 'appends while a segment is fenced: what was acknowledged is read, and the rest never is',
    run: async (store) => {
      if (store.fenceSegment === undefined) return;
      const segment = await openOk(store, 'j/0001');
      const acknowledged: string[] = [];
      const writing = (async () => {
        for (let at = 0; ; at += 1) {
          const word = `${at};`;
          try {
            await segment.append(bytes(word));
          } catch (thrown) {
            assert.ok(isLeaseLost(thrown));
            return;
          }
          acknowledged.push(word);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      while (acknowledged.length < 5) await new Promise((resolve) => setImmediate(resolve));
      await store.fenceSegment('j/0001');
      const read = (await textAt(store, 'j/0001')) ?? '';
      await writing;
      await segment.close();
      assert.ok(read.startsWith(acknowledged.join('')));
      assert.equal(await textAt(store, 'j/0001'), read);
    },
  },
  {
    title: 'a segment can be deleted like any blob',
    run: async (store) => {
      const segment = await openOk(store, 'j/0001');
      await segment.close();
      assert.deepEqual(await store.delete('j/0001'), { ok: true, existed: true });
      assert.equal(await store.get('j/0001'), undefined);
    },
  },
  {
    title: 'a segment without appends, a closed one and a missing one can be taken over',
    run: async (store) => {
      if (store.fenceSegment === undefined) return;
      const [empty, closed] = [await openOk(store, 'j/0001'), await openOk(store, 'j/0002')];
      await closed.append(bytes('all'));
      await closed.append(bytes(' of it'));
      await closed.close();
      for (const key of ['j/0001', 'j/0002', 'j/0003']) await store.fenceSegment(key);
      await assert.rejects(empty.append(bytes('x')), isLeaseLost);
      await empty.close();
      assert.deepEqual(
        [await textAt(store, 'j/0001'), await textAt(store, 'j/0002'), await textAt(store, 'j/0003')],
        ['', 'all of it', undefined],
      );
      assert.deepEqual(await store.delete('j/0001'), { ok: true, existed: true });
      assert.deepEqual(await keysOf(store, ''), ['j/0002']);
    },
  },
  {
    title: 'a segment is copied like any blob',
    run: async (store) => {
      const segment = await openOk(store, 'j/0001');
      await segment.append(bytes('one'));
      await segment.append(bytes('two'));
      assert.deepEqual(await store.copy('j/0001', 'copy'), { ok: true });
      await segment.close();
      assert.deepEqual(await store.copy('j/0001', 'after'), { ok: true });
      assert.deepEqual([await textAt(store, 'copy'), await textAt(store, 'after')], ['onetwo', 'onetwo']);
    },
  },
  {
    title: 'whether conditions hold can be asked, as often as one likes',
    run: async (store) => {
      if (store.checkWrites === undefined) return;
      assert.deepEqual(await store.checkWrites('scratch'), []);
      assert.deepEqual(await store.checkWrites('scratch'), []);
      assert.deepEqual(await keysOf(store, ''), ['scratch']);
    },
  },
  {
    title: 'keys that leave the store or that it keeps for itself are refused everywhere',
    run: async (store) => {
      for (const key of [
        '',
        '/etc/passwd',
        '../a',
        'a/../../b',
        'a/./b',
        'a//b',
        'a/',
        'a\\b',
        'a\0b',
        'a.attrs',
        'a/b.tmp',
      ]) {
        const refused = { name: 'BugError' };
        await assert.rejects(async () => store.get(key), refused, key);
        await assert.rejects(async () => store.put(key, bytes('x')), refused, key);
        await assert.rejects(async () => store.delete(key), refused, key);
        await assert.rejects(async () => store.copy('a', key), refused, key);
        await assert.rejects(async () => store.copy(key, 'a'), refused, key);
        await assert.rejects(async () => store.openSegment(key, { create: 'exclusive' }), refused, key);
      }
      await assert.rejects(async () => store.list('../'), { name: 'BugError' });
      await assert.rejects(async () => store.put('a', bytes('x'), { ifAbsent: true, ifVersion: 'v' }), {
        name: 'BugError',
      });
      assert.deepEqual(await keysOf(store, ''), []);
    },
  },
];

/** Scenarios with many requests: for lanes of their own, with real servers. */
export const blobStoreScale: readonly ContractScenario[] = [
  {
    title: 'more keys than one page of a listing has',
    run: async (store) => {
      const keys = Array.from({ length: 2_300 }, (_, i) => `many/${String(i).padStart(5, '0')}`);
      for (let from = 0; from < keys.length; from += 50)
        await Promise.all(keys.slice(from, from + 50).map((key) => store.put(key, bytes(key))));
      assert.deepEqual(await keysOf(store, 'many/'), keys);
      assert.equal((await keysOf(store, 'many/00')).length, 1000);
    },
  },
  {
    title: 'a segment of more parts than one page of a listing has',
    run: async (store) => {
      const segment = await openOk(store, 'j/0001');
      let expected = '';
      for (let i = 0; i < 1_100; i += 1) {
        expected += `${i}\n`;
        await segment.append(bytes(`${i}\n`));
      }
      assert.equal(await textAt(store, 'j/0001'), expected);
      assert.equal((await store.list('j/'))[0]?.size, expected.length);
      await segment.close();
      assert.equal(await textAt(store, 'j/0001'), expected);
      await store.delete('j/0001');
      assert.deepEqual(await keysOf(store, 'j/'), []);
    },
  },
  {
    title: 'a blob of many megabytes',
    run: async (store) => {
      const large = Buffer.alloc(24 * 1024 * 1024, 'large ');
      await store.put('large', large);
      assert.equal(Buffer.compare(large, Buffer.from((await store.get('large'))?.bytes ?? [])), 0);
      assert.deepEqual(await store.copy('large', 'copy'), { ok: true });
      assert.equal((await store.list('copy'))[0]?.size, large.length);
    },
  },
];
