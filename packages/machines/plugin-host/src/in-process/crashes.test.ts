import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { asUrn } from '@cairn/addresses';
import { CallMarks } from './call-marks.js';
import { crashOf, findCrashes } from './crashes.js';
import { callLine, newMarks, readMarks } from './mark-text.js';

const urn = asUrn('urn:pulumi:dev::shop::flint:index:Spark::spärk\n');
const dead = spawnSync(process.execPath, ['--version']).pid;
const writer = { pid: dead, host: hostname() };
const call = { provider: '@x/flint@1.0.0', call: 'create of urn:x' };

let directory: string;
let code: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'marks-'));
  code = join(mkdtempSync(join(tmpdir(), 'module-')), 'provider.js');
  writeFileSync(code, '');
  utimesSync(code, 1, 1);
});

/** Leaves a file of marks as a process does that ends suddenly. */
function left(from: object, calls: readonly (typeof call)[]): string {
  const { text, firstCall } = newMarks(from as never);
  const bytes = Buffer.from(text);
  calls.forEach((each, slot) => callLine(each).copy(bytes, firstCall + slot * callLine(each).length));
  const file = join(directory, 'left');
  writeFileSync(file, bytes);
  return file;
}

test.each<[string, object, readonly (typeof call)[], boolean, boolean]>([
  // title, who wrote it, calls under way, is a crash, stays
  ['a process that ended during a call', writer, [call], true, true],
  ['a process that ended during two', writer, [{ ...call, call: 'load' }, call], true, true],
  ['a process that ended between calls', writer, [], false, false],
  ['a process that runs', { ...writer, pid: process.ppid }, [call], false, true],
  ['an earlier process with our id', { ...writer, pid: process.pid }, [call], true, true],
  ['a process of another host', { pid: process.ppid, host: 'elsewhere' }, [call], true, true],
  ['nobody', {}, [call], false, true],
])('%s: a crash, and whether its file stays [PLUG-14]', (_title, from, calls, isCrash, stays) => {
  const file = left(from, calls);
  expect(findCrashes(directory).map(({ provider, call }) => ({ provider, call }))).toEqual(
    isCrash ? calls : [],
  );
  expect(existsSync(file)).toBe(stays);
});

test.each([
  ['the same version', { npmName: '@x/flint', version: '1.0.0' }, 1, true, true],
  ['another version', { npmName: '@x/flint', version: '1.0.1' }, 1, false, false],
  ['a module that was built since', { npmName: '@x/flint', version: '1.0.0' }, 2e9, false, false],
  ['another package', { npmName: '@x/tinder', version: '1.0.0' }, 1, false, true],
])(
  '%s: not trusted, and whether the crash is remembered [PLUG-14]',
  (_title, named, builtAt, counts, stays) => {
    const file = left(writer, [call]);
    utimesSync(code, builtAt, builtAt);
    const found = crashOf(findCrashes(directory), { ...named, module: code });
    expect(found?.call).toBe(counts ? call.call : undefined);
    expect(existsSync(file)).toBe(stays);
  },
);

test('calls are noted while they are under way, those beyond the room are made all the same [PLUG-14]', async () => {
  const marks = new CallMarks(join(directory, 'new'));
  const around = marks.around('@x/flint@1.0.0');
  const noted = () => {
    const [name = ''] = readdirSync(join(directory, 'new'));
    return readMarks(readFileSync(join(directory, 'new', name), 'latin1'))?.calls;
  };
  await around('create', urn, async () => {
    expect(noted()).toEqual([
      { provider: '@x/flint@1.0.0', call: 'create of urn:pulumi:dev::shop::flint:index:Spark::sp?rk?' },
    ]);
  });
  await expect(around('read', undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(noted()).toEqual([]);
  const ends: (() => void)[] = [];
  const many = Array.from({ length: 40 }, () =>
    around('check', undefined, () => new Promise<void>((resolve) => ends.push(resolve))),
  );
  expect([ends.length, noted()?.length]).toEqual([40, 32]);
  expect(findCrashes(join(directory, 'new'))).toEqual([]);
  ends.forEach((end) => end());
  await Promise.all(many);
  marks.close();
  expect(readdirSync(join(directory, 'new'))).toEqual([]);
});

test('without a folder that can be written to calls are made and not noted [PLUG-14]', async () => {
  const marks = new CallMarks(join(code, 'no-folder'));
  expect(await marks.around('x@1')('create', urn, async () => 1)).toBe(1);
  marks.close();
});
