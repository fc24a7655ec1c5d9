import type { BlobStore, Segment } from '@cairn/blobs';
import { cairnError, isCairnError } from '@cairn/diagnostics';
import { checkIntegrity } from '@cairn/state';
import type { StackLease } from '../src/index.js';
import { ChangeRecorder, operate, part } from './operations.js';
import { DEV, START, lease, newStack, open, urnOf } from './world.js';

/** Returns a medium on which nothing can be written any more after so many writes. Deleting still works. */
function filling(inner: BlobStore, writes: number): BlobStore & { readonly refused: () => boolean } {
  let left = writes;
  let refused = false;
  const take = (): void => {
    if (left === 0) {
      refused = true;
      throw cairnError('CAIRN-STORE-FULL', 'no space is left', { hint: 'make room' });
    }
    left -= 1;
  };
  const segment = (inner: Segment): Segment => ({
    key: inner.key,
    get durableSize() {
      return inner.durableSize;
    },
    append: async (bytes) => (take(), inner.append(bytes)),
    close: () => inner.close(),
  });
  return {
    ...inner,
    refused: () => refused,
    put: async (key, bytes, condition) => (take(), inner.put(key, bytes, condition)),
    copy: async (...given) => (take(), inner.copy(...given)),
    openSegment: async (key, options) => {
      take();
      const opened = await inner.openSegment(key, options);
      return opened.ok ? { ok: true, segment: segment(opened.segment) } : opened;
    },
  };
}

/** Returns the steps of a rollback as its records: each thing is deleted, begin and end apart. */
function undoing(base: readonly string[], names: readonly string[]): ChangeRecorder {
  const recorder = new ChangeRecorder('rollback');
  for (const name of names) {
    const task = recorder.begins(part(name), 'deleting');
    const removeOld = base.indexOf(urnOf(name));
    recorder.ends(task, 'done', { kind: 'success', operationId: Number(task), removeOld });
  }
  return recorder;
}

const NAMES = ['a', 'b', 'c'];
const urnsIn = ({ deployment }: StackLease): readonly string[] => deployment.resources.map(({ urn }) => urn);

/** Rolls back until the medium is full. Resolves with the names whose undo was recorded as done. */
async function rollBack(store: BlobStore, pid: number, dead: Set<number>): Promise<readonly string[]> {
  const undone: string[] = [];
  const held = await lease(await open(store, { pid, dead }));
  try {
    const names = NAMES.filter((name) => urnsIn(held).includes(urnOf(name)));
    const continues = { change: held.unfinished?.latest ?? '', how: 'rollback' } as const;
    const log = await held.begin({ ...START, operation: 'rollback', continues });
    const { records } = undoing(urnsIn(held), names);
    await log.store.append(records.slice(0, 1));
    for (const [index, name] of names.entries()) {
      await log.store.append(records.slice(1 + index * 3, 3 + index * 3));
      // The object is gone, whether or not that can be recorded.
      undone.push(name);
      await log.store.append(records.slice(3 + index * 3, 4 + index * 3));
    }
    await log.finish({ result: 'succeeded', resourceChanges: {} });
  } finally {
    await held.release();
  }
  return undone;
}

test('a medium that fills up at any write of a rollback loses nothing, and the next command goes on', async () => {
  const seen: string[] = [];
  for (let writes = 0; ; writes += 1) {
    const { store, backend, dead } = await newStack();
    await operate(backend, new ChangeRecorder().creates(...NAMES.map(part)).records, 'failed');
    const full = filling(store, writes);
    const failure = await rollBack(full, 20, dead).catch((thrown: unknown) => thrown);
    if (full.refused() && failure instanceof Error) {
      expect(isCairnError(failure) && failure.diagnostics[0]?.code).toBe('CAIRN-STORE-FULL');
    }
    dead.add(20);
    const held = await lease(await open(store, { pid: 21, dead }));
    expect(checkIntegrity(held.deployment, 'read').failure).toBeUndefined();
    const left = urnsIn(held).length;
    const doubt = held.deployment.pendingOperations.length;
    expect(left).toBeGreaterThanOrEqual(0);
    expect(doubt).toBeLessThanOrEqual(1);
    const done = left === 0 && held.unfinished === undefined;
    if (!done) {
      expect(held.unfinished).toMatchObject({ origin: '00000001' });
      expect(held.unfinished?.before.resources).toEqual([]);
    }
    seen.push(`${left} left, ${doubt} in doubt, ${held.unfinished?.state ?? 'over'}`);
    await held.release();
    // With room again, another run of the same rollback leads to the same end.
    if (!done) await rollBack(store, 22, dead);
    const after = await lease(await open(store, { pid: 23, dead }));
    expect(urnsIn(after)).toEqual([]);
    expect(after.unfinished).toBeUndefined();
    expect((await after.lineage(1)).state).toBe('rolled-back');
    await after.release();
    expect((await backend.history(DEV)).length).toBeGreaterThanOrEqual(1);
    if (!full.refused()) break;
  }
  expect(new Set(seen)).toEqual(
    new Set([
      '3 left, 0 in doubt, failed',
      '3 left, 0 in doubt, interrupted',
      '3 left, 1 in doubt, interrupted',
      '2 left, 0 in doubt, interrupted',
      '2 left, 1 in doubt, interrupted',
      '1 left, 0 in doubt, interrupted',
      '1 left, 1 in doubt, interrupted',
      '0 left, 0 in doubt, interrupted',
      '0 left, 0 in doubt, over',
    ]),
  );
});
