import type { Diagnostic } from '@cairn/diagnostics';
import { isCairnError } from '@cairn/diagnostics';
import { describeChange } from './describe-change.js';
import { decodeSegment, encodeRecords } from '../src/frame.js';
import type { CallOutcome, StepKinds } from '../src/kinds.js';
import { openChange } from '../src/machine.js';
import type { ChangeRecord } from '../src/records.js';
import { replayChange } from '../src/replay.js';
import { memoryStore } from '../src/store.js';

/**
 * Damage to a change log [CHG-25]. Whatever happens to its bytes, it is refused with the position and a hint, or an
 * unfinished end is cut at a whole transaction. It is never read as something else.
 */
const NAME = 'journal/1/000001.log';
const MUTATIONS = 5_000;
const CODES: ReadonlySet<string> = new Set(['CAIRN-JOURNAL-CORRUPT', 'CAIRN-STATE-TOO-NEW']);
let count = 0;

afterAll(() => {
  process.stdout.write(`${count} mutations of change logs: each refused, or cut at a whole transaction\n`);
  expect(count).toBeGreaterThan(MUTATIONS);
});

/**
 * Returns a segment like those of operations: entries, notes, logs, claims, a failure with its rollback, a wait, a
 * seal.
 */
async function finished(): Promise<readonly ChangeRecord[]> {
  const store = memoryStore();
  const machine = openChange(
    { id: '1', kind: 'up', summary: 'Update dev', scope: 'org/dev', growing: true },
    { store, kinds: kinds(), policies: { onError: 'rollback', retryMs: 0 } },
  );
  machine.tx((t) => {
    t.claim([{ key: '*', mode: 'exclusive' }]);
    t.set('goal', { digest: 'abc' });
  });
  const net = machine.tx((t) => t.addTask({ kind: 'step', summary: 'create net', data: { urn: 'urn:net' } }));
  const host = machine.tx((t) => t.addTask({ kind: 'noting', summary: 'create "hôst"', waits: [net] }));
  machine.tx((t) => {
    const gate = t.addTask({ kind: 'gate', summary: 'ask', lanes: [2] });
    const after = t.addTask({ kind: 'step', summary: 'after', waits: [gate], lanes: [2] });
    t.changeLanes(after, { join: [3], leave: [2] });
    t.entry({ kind: 'write', sequenceID: 9 });
  });
  await machine.ended(host);
  await machine.settled();
  machine.tx((t) => t.resolve('3'));
  await machine.settled();
  machine.tx((t) => t.addTask({ kind: 'bad', summary: 'break', waits: [host] }));
  machine.complete();
  await machine.settled();
  await machine.seal();
  return store.records;
}

/** Returns a segment whose process died while handlers ran. */
async function unfinished(): Promise<readonly ChangeRecord[]> {
  const store = memoryStore();
  const machine = openChange(
    { id: '2', kind: 'destroy', summary: 'Destroy dev', growing: true },
    { store, kinds: kinds() },
  );
  const first = machine.tx((t) => t.addTask({ kind: 'noting', summary: 'delete host' }));
  await machine.ended(first);
  machine.tx((t) => {
    t.addTask({ kind: 'endless', summary: 'delete net', waits: [first] });
    t.addTask({ kind: 'endless', summary: 'delete disk', priority: 2, lanes: [3] });
  });
  await machine.flush();
  await new Promise((resolve) => setImmediate(resolve));
  await machine.flush();
  machine.kill();
  return store.records;
}

function kinds(): StepKinds {
  const entry = (kind: string, urn: string): unknown => ({
    kind,
    operation: { type: 'creating', resource: { urn, inputs: { size: 3, tags: ['a', 'b'] } } },
  });
  const step: StepKinds[string] = {
    begin: (context) => entry('begin', context.task.summary),
    do: (context) => ({ t: 'ok', entry: entry('success', context.task.summary) }),
    undo: (context) => ({ t: 'ok', entry: entry('removed', context.task.summary) }),
  };
  let calls = 0;
  return {
    step,
    noting: {
      ...step,
      do: async (context): Promise<CallOutcome> => {
        await context.note('i-0abc');
        context.log('still creating');
        context.progress({ label: 'MB', done: 3, total: 9 });
        calls += 1;
        return calls === 1 ? { t: 'retry', reason: 'throttled' } : { t: 'ok', entry: entry('success', 'x') };
      },
    },
    gate: { do: () => ({ t: 'wait', then: 'done', reason: 'approve it' }) },
    bad: {
      ...step,
      do: () => {
        throw new Error('no such zone');
      },
    },
    endless: { ...step, do: () => new Promise<CallOutcome>(() => undefined) },
  };
}

/** Returns the numbers of records up to each end of a transaction, where a torn end may be cut. */
function wholeTransactions(records: readonly ChangeRecord[]): ReadonlySet<number> {
  const ends = new Set([0]);
  for (const [at, record] of records.entries()) if (record.more !== true) ends.add(at + 1);
  return ends;
}

type Read = { readonly read: readonly ChangeRecord[] } | { readonly refused: string };

/** Reads and replays. Any thrown error must be a refusal with the position and a hint. */
function readBack(bytes: Uint8Array): Read {
  count += 1;
  try {
    const { records } = decodeSegment(bytes, { name: NAME });
    if (records.length > 0) describeChange(replayChange(records, NAME));
    return { read: records };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    const { code, summary, hint } = error.diagnostics[0] as Diagnostic;
    const says = CODES.has(code) && summary.includes(NAME) && hint?.startsWith('Nothing was changed. ');
    if (says !== true) throw error;
    return { refused: error.message };
  }
}

/** Expects a refusal, or a beginning of the original that ends with a transaction. */
function expectSafe(bytes: Uint8Array, original: readonly ChangeRecord[], what: string): Read {
  const result = readBack(bytes);
  if ('refused' in result) return result;
  const { length } = result.read;
  if (!wholeTransactions(original).has(length)) throw new Error(`${what}: cut inside a transaction`);
  if (JSON.stringify(result.read) !== JSON.stringify(original.slice(0, length)))
    throw new Error(`${what}: read as something else`);
  return result;
}

const LOGS = [
  ['a finished change', finished],
  ['an unfinished change', unfinished],
] as const;

describe.each(LOGS)('%s', (_title, make) => {
  let records: readonly ChangeRecord[];
  let bytes: Buffer;
  /** Offset of each frame. */
  let offsets: number[];

  beforeAll(async () => {
    records = await make();
    bytes = Buffer.from(encodeRecords(records));
    offsets = [0];
    for (const record of records) offsets.push((offsets.at(-1) ?? 0) + encodeRecords([record]).length);
  });

  test('untouched, it is read as it was written', () => {
    expect(readBack(bytes)).toEqual({ read: JSON.parse(JSON.stringify(records)) });
  });

  test('each byte flipped: refused at the record, or the last record is cut', () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ (at % 9 === 8 ? 0xff : 1 << (at % 9));
      const frame = offsets.findLastIndex((start) => start <= at);
      const result = expectSafe(damaged, records, `byte ${at}`);
      const found = 'refused' in result ? result.refused : `${result.read.length} records`;
      const isLast = frame === records.length - 1;
      const place = `the change log ${NAME} is damaged at byte ${String(offsets[frame])}`;
      if (isLast ? 'refused' in result || result.read.length === records.length : found !== place)
        throw new Error(`byte ${at} of record ${frame + 1}: ${found}`);
    }
  });

  test('cut anywhere: a beginning of whole transactions is left', () => {
    for (let at = 0; at < bytes.length; at += 3) {
      const result = expectSafe(bytes.subarray(0, at), records, `cut at ${at}`);
      if ('refused' in result) throw new Error(`cut at ${at}: ${result.refused}`);
    }
  });

  test('each record dropped, repeated or exchanged with the next', () => {
    for (let at = 0; at < records.length; at += 1) {
      const frame = bytes.subarray(offsets[at], offsets[at + 1]);
      const before = bytes.subarray(0, offsets[at]);
      const behind = bytes.subarray(offsets[at + 1]);
      const isLast = at === records.length - 1;
      const dropped = expectSafe(Buffer.concat([before, behind]), records, `drop ${at}`);
      expect('refused' in dropped).toBe(!isLast);
      const repeated = expectSafe(Buffer.concat([before, frame, frame, behind]), records, `repeat ${at}`);
      expect(repeated).toHaveProperty('refused');
      if (isLast) continue;
      const next = bytes.subarray(offsets[at + 1], offsets[at + 2]);
      const rest = bytes.subarray(offsets[at + 2]);
      const swapped = expectSafe(Buffer.concat([before, next, frame, rest]), records, `exchange ${at}`);
      expect(swapped).toHaveProperty('refused');
    }
  });

  test('each byte removed or doubled, and blocks of zeros anywhere', () => {
    for (let at = 0; at < bytes.length; at += 11) {
      const before = bytes.subarray(0, at);
      expectSafe(Buffer.concat([before, bytes.subarray(at + 1)]), records, `remove ${at}`);
      expectSafe(
        Buffer.concat([before, bytes.subarray(at, at + 1), bytes.subarray(at)]),
        records,
        `x2 ${at}`,
      );
      const zeros = Buffer.from(bytes);
      zeros.fill(0, at, Math.min(at + 32, zeros.length));
      expectSafe(zeros, records, `zeros at ${at}`);
    }
  });

  /** Replacements of one member of one record with a correct checksum: lies that a checksum cannot find. */
  const LIES: readonly (readonly [string, readonly unknown[]])[] = [
    ['seq', [0, -1, 2.5, 999, '1', null]],
    ['tx', [0, 999, '1', null]],
    ['at', ['yesterday', 5, null]],
    ['record', ['dance', '', 7, null, 'toString', '__proto__']],
    ['status', ['default', 'constructor', '', 4]],
    ['task', ['99', '0', '-1', 'x', '', 7]],
    ['id', [7, [], {}]],
    ['waits', [['99'], '1', [3], {}]],
    ['lanes', [['1'], 'x', [-1], [0.5]]],
    ['direction', ['sideways', null]],
    ['result', ['perhaps', null]],
    ['ms', ['1', -1, null]],
    ['attempt', [0, '1', null]],
    ['lines', ['x', [4], null]],
    ['claims', ['*', [{ key: 3 }], [{ key: 'a', mode: 'both' }], null]],
    ['progress', [3, {}, { label: 'x', done: 'y', total: 1 }]],
    ['version', [2, -1, 'new']],
    ['more', [false, 1]],
    ['kind', [4, null]],
    ['growing', ['yes']],
    ['data', [[], 3]],
  ];

  test.each(LIES)('"%s" replaced in each record that has it', (member, values) => {
    for (const [at, record] of records.entries()) {
      if (!(member in record) || (record as unknown as Record<string, unknown>)[member] === undefined)
        continue;
      for (const value of values) {
        const lie = [...records];
        lie[at] = { ...record, [member]: value };
        expect(expectSafe(encodeRecords(lie), records, `${member} of ${at}`)).toHaveProperty('refused');
      }
    }
  });

  test('a record moved to another place with its numbers made right', () => {
    for (let from = 0; from < records.length; from += 1) {
      for (let to = 0; to < records.length; to += 3) {
        const moved = [...records];
        moved.splice(to, 0, ...moved.splice(from, 1));
        const numbered = moved.map(({ more: _more, ...record }, at) => ({
          ...record,
          seq: at + 1,
          tx: at + 1,
        }));
        readBack(encodeRecords(numbered as ChangeRecord[]));
      }
    }
  });

  test('a record twice, or not at all, with the numbers made right', () => {
    for (let at = 0; at < records.length; at += 1) {
      const again = [...records.slice(0, at + 1), ...records.slice(at)];
      const without = records.filter((_record, other) => other !== at);
      for (const list of [again, without]) {
        const numbered = list.map(({ more: _more, ...record }, place) => ({
          ...record,
          seq: place + 1,
          tx: place + 1,
        }));
        readBack(encodeRecords(numbered as ChangeRecord[]));
      }
    }
  });
});

test('two frames at the end, the last whole and the one before damaged, are damage and not an unfinished end', async () => {
  const records = await unfinished();
  const bytes = Buffer.from(encodeRecords(records));
  const last = encodeRecords(records.slice(-1)).length;
  bytes[bytes.length - last - 1] = 0x20;
  expect(readBack(bytes)).toHaveProperty('refused');
});

test('a log of a newer version is refused as that, whatever it holds', () => {
  const newer = [
    {
      seq: 1,
      tx: 1,
      at: '2030-01-01T00:00:00Z',
      record: 'change',
      id: '1',
      kind: 'up',
      summary: '',
      scope: '',
      version: 2,
    },
    { seq: 2, tx: 2, at: '2030-01-01T00:00:00Z', record: 'dance' },
  ];
  expect(readBack(encodeRecords(newer as unknown as ChangeRecord[]))).toEqual({
    refused: `the change log ${NAME} was written by a newer version of Cairn`,
  });
});
