import fc from 'fast-check';
import { decodeSegment, encodeRecords } from './frame.js';
import type { ChangeRecord } from './records.js';

const AT = '2030-01-01T00:00:00.000Z';
const log = (seq: number, text: string, more?: true): ChangeRecord => ({
  seq,
  tx: more === true ? 2 : seq,
  at: AT,
  record: 'log',
  task: '1',
  lines: [text],
  ...(more === true && { more }),
});
const decode = (bytes: Uint8Array): ReturnType<typeof decodeSegment> =>
  decodeSegment(bytes, { name: '000001.log' });

test('a record is one readable line: length, checksum, JSON', () => {
  expect(Buffer.from(encodeRecords([log(1, 'é')])).toString()).toBe(
    '00000059 1df5d988 {"seq":1,"tx":1,"at":"2030-01-01T00:00:00.000Z","record":"log","task":"1","lines":["é"]}\n',
  );
});

test.each([
  [undefined, 'cannot store a record of kind log: its JSON has 91 bytes, longer than the limit of 90 bytes'],
  ['urn:a', 'cannot store urn:a: its JSON has 91 bytes, longer than the limit of 90 bytes'],
])('a record that could not be read again is refused: %s', (subject, message) => {
  const record = log(1, 'four');
  const subjectOf = (): string | undefined => subject;
  expect(decode(encodeRecords([record], { most: 91 })).records).toEqual([record]);
  expect(() => encodeRecords([log(1, ''), record], { most: 90, subjectOf })).toThrow(
    expect.objectContaining({
      message,
      diagnostics: [expect.objectContaining({ code: 'CAIRN-STATE-TOO-LARGE' })],
    }) as Error,
  );
});

test('what is encoded is decoded, any text in it', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (lines) => {
      const records = lines.map((line, at) => log(at + 1, line));
      const bytes = encodeRecords(records);
      expect(decode(bytes)).toEqual({ records, goodBytes: bytes.length, torn: undefined });
    }),
  );
});

test('cut anywhere, the whole records before the cut are there and the rest is reported', () => {
  const records = [log(1, 'one'), log(2, 'two\n'), log(3, 'thrée')];
  const frames = records.map((record) => encodeRecords([record]).length);
  const bytes = encodeRecords(records);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    let whole = 0;
    let good = 0;
    while (whole < 3 && good + (frames[whole] as number) <= cut) good += frames[whole++] as number;
    const decoded = decode(bytes.subarray(0, cut));
    expect([decoded.records.length, decoded.goodBytes]).toEqual([whole, good]);
    expect(decoded.torn).toEqual(good === cut ? undefined : { bytes: cut - good, records: 0 });
  }
});

test('a transaction without its last record is dropped as a whole', () => {
  const bytes = encodeRecords([log(1, 'a'), log(2, 'b', true), log(3, 'c', true)]);
  const first = encodeRecords([log(1, 'a')]).length;
  expect(decode(bytes)).toEqual({
    records: [log(1, 'a')],
    goodBytes: first,
    torn: { bytes: bytes.length - first, records: 2 },
  });
});

test('a damaged record with a good one behind it is refused, naming the offset', () => {
  const bytes = Buffer.from(encodeRecords([log(1, 'one'), log(2, 'two'), log(3, 'three')]));
  const first = encodeRecords([log(1, 'one')]).length;
  for (let at = first; at < first + encodeRecords([log(2, 'two')]).length - 1; at += 1) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] as number) ^ 1;
    expect(() => decode(damaged)).toThrow(`the change log 000001.log is damaged at byte ${first}`);
  }
});

test.each([
  ['a record that is missing', [log(1, 'a'), log(3, 'c')], 'expected record 2, found 3'],
  [
    'a record of an unknown kind',
    [{ ...log(1, 'a'), record: 'dance' } as unknown as ChangeRecord],
    'does not know',
  ],
])('%s is refused', (_title, records, why) => {
  expect.assertions(1);
  try {
    decode(encodeRecords(records));
  } catch (error) {
    expect(error).toMatchObject({
      diagnostics: [{ code: 'CAIRN-JOURNAL-CORRUPT', causes: [expect.stringContaining(why)] }],
    });
  }
});

test('a later segment goes on where the one before ended', () => {
  expect(decodeSegment(encodeRecords([log(7, 'x')]), { name: 'b', firstSeq: 7 }).records).toHaveLength(1);
});
