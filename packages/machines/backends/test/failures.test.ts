import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openBlobStore } from '@cairn/blobs';
import type { BlobStore, Segment } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import {
  DEV,
  Recorder,
  START,
  failureOf,
  keysOf,
  lease,
  newStack,
  open,
  providerEntry,
  providerUrn,
  root,
  rootUrn,
  textAt,
  thing,
  urnOf,
  urnsOf,
} from './world.js';

const CHECKPOINT = '.pulumi/stacks/shop/dev.json';

const CODES = [
  'CAIRN-STORE-FULL',
  'CAIRN-STORE-READ-ONLY',
  'CAIRN-STORE-DENIED',
  'CAIRN-STORE-FAILED',
] as const;

/** Medium that refuses writes once `broken` is set: of keys with the text in them, or appends after so many. */
interface Fault {
  broken: boolean;
  readonly code: (typeof CODES)[number];
  readonly keys: string;
  readonly appendsLeft?: number;
}

function faulty(inner: BlobStore, fault: Fault): BlobStore {
  const refuse = (): never => {
    throw cairnError(fault.code, 'the medium refuses', { hint: 'make room' });
  };
  const check = (key: string): void => {
    if (fault.broken && key.includes(fault.keys)) refuse();
  };
  return {
    ...inner,
    put: async (key, bytes, condition) => (check(key), inner.put(key, bytes, condition)),
    copy: async (from, to, condition) => (check(to), inner.copy(from, to, condition)),
    openSegment: async (key, options) => {
      check(key);
      const opened = await inner.openSegment(key, options);
      return opened.ok ? { ok: true, segment: faultySegment(opened.segment, fault, refuse) } : opened;
    },
  };
}

function faultySegment(inner: Segment, fault: Fault, refuse: () => never): Segment {
  let left = fault.appendsLeft ?? Number.POSITIVE_INFINITY;
  return {
    key: inner.key,
    durableSize: inner.durableSize,
    append: async (bytes) => {
      if (left <= 0) refuse();
      left -= 1;
      return inner.append(bytes);
    },
    close: () => inner.close(),
  };
}

describe.each(CODES)('%s', (code) => {
  test('while the checkpoint is written: the error comes through, the old state stays, the next command has everything', async () => {
    const { store, dead } = await newStack();
    const fault: Fault = { broken: false, code, keys: '.pulumi/stacks/' };
    const backend = await open(faulty(store, fault), { pid: 11, dead });
    const held = await lease(backend);
    const log = await held.begin(START);
    await log.store.append(new Recorder().creates(root, providerEntry, thing('a')));
    const before = await textAt(store, CHECKPOINT);
    fault.broken = true;
    expect((await failureOf(log.finish({ result: 'succeeded', resourceChanges: { create: 3 } }))).code).toBe(
      code,
    );
    expect(await textAt(store, CHECKPOINT)).toBe(before);
    await held.release();
    fault.broken = false;
    const next = await lease(await open(store, { pid: 12, dead }));
    expect(next.deployment.resources.map((resource) => resource.urn)).toEqual([
      rootUrn,
      providerUrn,
      urnOf('a'),
    ]);
    expect(next.notes.map((note) => note.severity)).toEqual(['info']);
    await next.release();
  });

  test('while the journal is written: the step is refused, its begin does not count, ends do', async () => {
    const { store, dead } = await newStack();
    const fault: Fault = { broken: false, code, keys: 'nothing', appendsLeft: 2 };
    const backend = await open(faulty(store, fault), { pid: 11, dead });
    const held = await lease(backend);
    const log = await held.begin(START);
    const recorder = new Recorder();
    await log.store.append(recorder.creates(root, providerEntry));
    await log.store.append([recorder.begin(3, thing('a'))]);
    const refusedBegin = failureOf(log.store.append([recorder.begin(4, thing('b'))]));
    const refusedEnd = failureOf(log.store.append([recorder.created(3, thing('a'))]));
    expect([(await refusedBegin).code, (await refusedEnd).code]).toEqual([code, code]);
    await log.finish({ result: 'failed', resourceChanges: {} });
    await held.release();
    const { deployment } = await backend.read(DEV);
    expect(deployment?.resources.map((resource) => resource.urn)).toEqual([rootUrn, providerUrn, urnOf('a')]);
    expect(deployment?.pendingOperations).toEqual([]);
  });

  test('while the history is written: the state is stored and the journal sealed, with a warning', async () => {
    const { store, dead } = await newStack();
    const fault: Fault = { broken: true, code, keys: '.pulumi/history/' };
    const backend = await open(faulty(store, fault), { pid: 11, dead });
    const held = await lease(backend);
    const log = await held.begin(START);
    await log.store.append(new Recorder().creates(root));
    const { diagnostics } = await log.finish({ result: 'succeeded', resourceChanges: {} });
    expect(diagnostics).toMatchObject([{ severity: 'warning', causes: ['the medium refuses'] }]);
    await held.release();
    expect(await urnsOf(backend)).toEqual([rootUrn]);
    expect((await lease(await open(store, { pid: 12, dead }))).notes).toEqual([]);
  });

  test('while the lock is written: nothing is left behind and the backend can be used again', async () => {
    const { store, dead } = await newStack();
    const fault: Fault = { broken: true, code, keys: '.pulumi/locks/' };
    const backend = await open(faulty(store, fault), { pid: 11, dead });
    expect((await failureOf(lease(backend))).code).toBe(code);
    fault.broken = false;
    await (await lease(backend)).release();
    expect(await keysOf(store, '.pulumi/locks/')).toEqual([]);
  });
});

test('a .bak that cannot be written does not keep the state from being stored', async () => {
  const { store, dead } = await newStack();
  const backend = await open(faulty(store, { broken: true, code: 'CAIRN-STORE-DENIED', keys: '.json.bak' }), {
    pid: 11,
    dead,
  });
  const held = await lease(backend);
  const log = await held.begin(START);
  await log.store.append(new Recorder().creates(root));
  await log.finish({ result: 'succeeded', resourceChanges: {} });
  expect(await urnsOf(backend)).toEqual([rootUrn]);
});

test('a checkpoint that somebody else changed meanwhile is not overwritten', async () => {
  const { store, backend } = await newStack();
  const held = await lease(backend);
  const log = await held.begin(START);
  await log.store.append(new Recorder().creates(root));
  const theirs = (await textAt(store, CHECKPOINT)).replace('"metadata":{}', '"metadata":{"x":1}');
  await store.put(CHECKPOINT, Buffer.from(theirs));
  expect((await failureOf(log.finish({ result: 'succeeded', resourceChanges: {} }))).code).toBe(
    'CAIRN-STORE-CONFLICT',
  );
  expect(await textAt(store, CHECKPOINT)).toBe(theirs);
});

describe('a state that is not consistent', () => {
  const orphan = thing('b', { dependencies: [urnOf('gone')] });

  test('is written all the same, says so, notes it, and is refused at the next reading unless that is wanted', async () => {
    const { store, dead } = await newStack();
    const env = { PULUMI_STACK: 'dev', PULUMI_ACCESS_TOKEN: 'pul-1' };
    const backend = await open(store, { pid: 10, dead }, env);
    const held = await lease(backend);
    const log = await held.begin(START);
    await log.store.append(new Recorder().creates(root, providerEntry, orphan));
    const { diagnostics } = await log.finish({ result: 'succeeded', resourceChanges: {} });
    expect(diagnostics).toMatchObject([
      {
        severity: 'error',
        code: 'CAIRN-STATE-INTEGRITY',
        urn: orphan.urn,
        summary: expect.stringContaining('failed to verify snapshot: '),
        causes: [
          'integrity rule 9',
          'it was stored as .pulumi/stacks/shop/dev.json',
          'the state before it is .pulumi/stacks/shop/dev.json.bak',
        ],
      },
    ]);
    await held.release();
    const { deployment } = await backend.read(DEV, { integrity: 'skip' });
    expect(deployment?.integrityError).toMatchObject({
      version: '3',
      command: 'up --yes',
      error: expect.stringContaining('gone'),
    });
    const failure = await failureOf(backend.read(DEV));
    expect(failure.code).toBe('CAIRN-STATE-INTEGRITY');
    expect(failure.causes).toContain(`noted at the last write: ${deployment?.integrityError?.error}`);
    const exported = JSON.parse(await backend.exportText(DEV)).deployment.metadata;
    expect(Object.keys(exported.integrity_error)).toEqual(['version', 'command', 'error', 'env_vars']);
    const stored = await store.get('.pulumi/stacks/shop/dev.json');
    expect(Buffer.from(stored?.bytes ?? []).toString()).toContain(
      '"env_vars":{"PULUMI_ACCESS_TOKEN":"[secret]","PULUMI_STACK":"dev"}',
    );
  });
});

test.each([
  ['cut off', (text: string) => text.slice(0, text.length - 20), 'CAIRN-STATE-CORRUPT', 'line 1'],
  ['empty', () => '', 'CAIRN-STATE-CORRUPT', 'empty'],
  ['not JSON', () => 'hello', 'CAIRN-STATE-CORRUPT', 'line 1, column 1'],
  ['a list', () => '[]', 'CAIRN-STATE-CORRUPT', 'not a JSON object'],
  [
    'version 5',
    (text: string) => text.replace('"version":3', '"version":5'),
    'CAIRN-STATE-TOO-NEW',
    'version 5',
  ],
  [
    'unknown features',
    (text: string) => text.replace('"version":3', '"version":4,"features":["x","views","y"]'),
    'CAIRN-STATE-TOO-NEW',
    'x, y',
  ],
  [
    'resources not a list',
    (text: string) => text.replace('"metadata"', '"resources":{},"metadata"'),
    'CAIRN-STATE-CORRUPT',
    '"resources" is not a list',
  ],
  [
    'a changed version text',
    (text: string) => text.replace('"version":"v0.1.0"', '"version":"v0.1.1"'),
    'CAIRN-STATE-INTEGRITY',
    'magic',
  ],
  ['cut-off gzip', () => '\u001f\u008b\b', 'CAIRN-STATE-CORRUPT', 'decompressed'],
])('a checkpoint that is %s is refused and stays', async (_title, edit, code, text) => {
  const { store, backend } = await newStack();
  const bytes = Buffer.from(edit(await textAt(store, CHECKPOINT)), 'latin1');
  await store.put(CHECKPOINT, bytes);
  const failure = await failureOf(lease(backend));
  expect(failure).toMatchObject({ code, summary: expect.stringContaining(text) });
  expect(failure.hint).not.toBe('');
  expect(Buffer.from((await store.get(CHECKPOINT))!.bytes)).toEqual(bytes);
});

test('abandoning: an operation has failed, whether it had recorded anything or not; its number is its own', async () => {
  const { backend } = await newStack();
  const first = await lease(backend);
  await (await first.begin(START)).abandon();
  await first.release();
  expect(await backend.changes(DEV)).toMatchObject([{ number: 1, result: 'failed', unfinished: false }]);
  const second = await lease(backend);
  const log = await second.begin(START);
  await log.store.append(new Recorder().creates(root));
  expect(await log.store.load()).toHaveLength(2);
  await log.abandon();
  expect(await urnsOf(backend)).toEqual([rootUrn]);
  expect((await backend.history(DEV)).map((entry) => entry.result)).toEqual(['failed', 'failed']);
  expect(await backend.changes(DEV)).toMatchObject([{ number: 2, result: 'failed' }, { number: 1 }]);
});

test('on a real directory: two backends, one lease, an operation killed and taken over', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'cairn-backend-'));
  try {
    const url = `file://${directory}`;
    const { backend, dead } = await newStack(await openBlobStore(url));
    const held = await lease(backend);
    const log = await held.begin(START);
    const recorder = new Recorder();
    await Promise.all(
      [root, providerEntry, thing('a')].map((entry, index) =>
        log.store.append([recorder.begin(index + 1, entry), recorder.created(index + 1, entry)]),
      ),
    );
    await log.store.append([recorder.begin(9, thing('b'))]);
    const other = await open(await openBlobStore(url), { pid: 11, dead });
    expect((await failureOf(lease(other))).code).toBe('CAIRN-STATE-LOCKED');
    dead.add(10);
    const next = await lease(other);
    expect(next.snapshot.resources.map((entry) => entry.urn)).toEqual([rootUrn, providerUrn, urnOf('a')]);
    expect(next.notes.filter((note) => note.severity === 'warning').map((note) => note.urn)).toEqual([
      urnOf('b'),
    ]);
    await next.release();
    expect(await urnsOf(other)).toHaveLength(3);
    expect((await failureOf(log.finish({ result: 'succeeded', resourceChanges: {} }))).code).toBe(
      'CAIRN-LEASE-LOST',
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

/** Serializes as a text that is longer than Node makes them. */
class TooLong {
  toJSON(): never {
    throw new RangeError('Invalid string length');
  }
}

test('an outcome that is too large to be read again is refused with its resource; the others are kept', async () => {
  const { store, dead } = await newStack();
  const backend = await open(store, { pid: 11, dead });
  const held = await lease(backend);
  const log = await held.begin(START);
  const records = new Recorder();
  await log.store.append([
    ...records.creates(root, providerEntry),
    records.begin(10, thing('a')),
    records.begin(11, thing('b')),
  ]);
  const large = records.created(10, thing('a')) as { entry: { state: { outputs: unknown } } };
  large.entry.state.outputs = { text: new TooLong() };
  const appended = log.store.append([large as never, records.created(11, thing('b'))]);
  expect(await failureOf(appended)).toMatchObject({
    code: 'CAIRN-STATE-TOO-LARGE',
    summary: `cannot store ${urnOf('a')}: its JSON is longer than the limit of 536870888 bytes`,
    hint: 'Keep large content in files, and pass their paths or assets.',
  });
  await log.finish({ result: 'failed', resourceChanges: {} });
  await held.release();
  expect(await urnsOf(backend)).toEqual([rootUrn, providerUrn, urnOf('b')]);
  const { deployment } = await backend.read(DEV);
  expect(deployment?.pendingOperations.map(({ resource }) => resource.urn)).toEqual([urnOf('a')]);
});
