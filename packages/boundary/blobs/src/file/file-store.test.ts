import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import { blobStoreContract } from '../contract-suite.js';
import type { Disk, DiskFile } from '@cairn/files';
import { realDisk } from '@cairn/files';
import { FileBlobStore } from './file-store.js';
import { keepNames } from './folder-names.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cairn-blobs-'));
  await mkdir(scratch(), { recursive: true });
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const store = (options: ConstructorParameters<typeof FileBlobStore>[2] = {}): FileBlobStore =>
  new FileBlobStore(root, `file://${root}`, options);
const bytes = (text: string): Uint8Array => Buffer.from(text);
const scratch = (...name: readonly string[]): string => join(root, '.pulumi', 'tmp', ...name);
const lockFile = (key: string): string =>
  scratch(`${createHash('sha256').update(`/${key}`).digest('hex')}.lock.tmp`);

async function filesUnder(directory: string): Promise<string[]> {
  const rows = await readdir(directory, { withFileTypes: true, recursive: true });
  return rows
    .filter((row) => row.isFile() || row.isSymbolicLink())
    .map((row) => join(row.parentPath, row.name).slice(root.length + 1))
    .sort();
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: made up`), { code });
}

type Fault = (call: string, path: string) => string | undefined;

/**
 * Returns the real disk, except that calls fail if `fault` returns an error for them. Calls on open files are named
 * `file.<call>`.
 */
function faultyDisk(fault: Fault): Disk {
  const guard = <T extends object>(target: T, prefix: string, pathOf: (args: unknown[]) => string): T =>
    new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name, object);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          const path = pathOf(name === 'symlink' ? args.slice(1) : args);
          const code = fault(prefix + String(name), path);
          if (code !== undefined && name === 'close') await member.apply(object, args); // a failed close still releases the file
          if (code !== undefined) throw failure(code);
          const result: unknown = await member.apply(object, args);
          return name === 'open' ? guard(result as DiskFile, 'file.', () => path) : result;
        };
      },
    });
  return guard({ ...realDisk }, '', (args) => String(args[0]));
}

async function codeOf(action: Promise<unknown>): Promise<string> {
  try {
    await action;
  } catch (thrown) {
    if (isCairnError(thrown)) return thrown.diagnostics[0]?.code ?? 'none';
    throw thrown;
  }
  return 'no error';
}

describe('file store', () => {
  test.each(blobStoreContract)('$title', async ({ run }) => {
    await run(store());
    expect((await filesUnder(root)).filter((name) => /(?<!\.fence)\.tmp$/.test(name))).toEqual([]);
  });
});

describe('file store without write-through', () => {
  test.each(blobStoreContract.filter(({ title }) => title.includes('segment') || title.includes('append')))(
    '$title',
    async ({ run }) => {
      await run(store({ writeThrough: false }));
    },
  );
});

describe('several processes on one directory', () => {
  // Two store objects share nothing but the files, like two processes.
  test('counting up with ifVersion loses no count', async () => {
    const stores = [store(), store(), store()];
    await stores[0]?.put('count', bytes('0'));
    const countUp = async (mine: FileBlobStore): Promise<void> => {
      for (let done = 0; done < 5;) {
        const blob = await mine.get('count');
        const next = String(Number(Buffer.from(blob?.bytes ?? []).toString()) + 1);
        if ((await mine.put('count', bytes(next), { ifVersion: blob?.version ?? '' })).ok) done++;
      }
    };
    await Promise.all(stores.map(countUp));
    expect(await readFile(join(root, 'count'), 'utf8')).toBe('15');
  });

  test('ifAbsent succeeds once, also where hard links do not exist', async () => {
    const noLinks = faultyDisk((call) => (call === 'link' ? 'ENOTSUP' : undefined));
    for (const [key, disk] of [
      ['linked', realDisk],
      ['renamed', noLinks],
    ] as const) {
      const results = await Promise.all(
        [1, 2, 3, 4].map((i) => store({ disk }).put(key, bytes(`${i}`), { ifAbsent: true })),
      );
      expect(results.filter((result) => result.ok)).toHaveLength(1);
    }
    expect(await filesUnder(root)).toEqual(['linked', 'renamed']);
  });

  test('a lock has the name of its holder from the first moment on, where the disk has symbolic links', async () => {
    const seen: string[] = [];
    const disk = faultyDisk((call, path) => {
      if (path.endsWith('.lock.tmp')) seen.push(call);
      return undefined;
    });
    const during: string[] = [];
    const watching: Disk = {
      ...disk,
      rename: async (from, to) => {
        during.push(await readlink(lockFile('a')));
        await disk.rename(from, to);
      },
    };
    await store({ disk: watching }).put('a', bytes('x'));
    expect(during).toEqual([expect.stringMatching(`^${process.pid}\\.[^@]+@${hostname()}$`)]);
    expect(seen).toEqual(['symlink', 'unlink']);
    expect(await filesUnder(root)).toEqual(['a']);
  });

  test.each(['EPERM', 'ENOTSUP', 'EINVAL'])(
    'where it has none (%s) a lock is a file with that name in it',
    async (code) => {
      const disk = faultyDisk((call) => (call === 'symlink' ? code : undefined));
      const texts: string[] = [];
      const watching: Disk = {
        ...disk,
        rename: async (from, to) => {
          texts.push(await readFile(lockFile('a'), 'utf8'));
          await disk.rename(from, to);
        },
      };
      await Promise.all([1, 2, 3].map((i) => store({ disk: watching }).put('a', bytes(`${i}`))));
      expect(texts.map((text) => (JSON.parse(text) as { pid: number }).pid)).toEqual(
        Array(3).fill(process.pid),
      );
      expect(await filesUnder(root)).toEqual(['a']);
    },
  );

  test.each([
    ['a link', (file: string) => symlink(`999999999.r@${hostname()}`, file)],
    [
      'a file',
      (file: string) => writeFile(file, JSON.stringify({ pid: 999_999_999, host: hostname(), run: 'r' })),
    ],
  ])('the lock of a dead process is removed, by one of many who find it (%s)', async (_form, leave) => {
    const dead = { patienceMs: 10_000, pauseMs: 1, isAlive: (pid: number) => pid === process.pid };
    await leave(lockFile('a'));
    await Promise.all([1, 2, 3, 4].map((i) => store({ locks: dead }).put('a', bytes(`${i}`))));
    expect(await filesUnder(root)).toEqual(['a']);
  });

  test('a process that died while it removed such a lock is no obstacle, nor one that removed its file', async () => {
    const dead = { patienceMs: 10_000, pauseMs: 1, isAlive: (pid: number) => pid === process.pid };
    for (const end of ['.tmp', '.break.tmp', '.break.break.tmp'])
      await symlink(`999999999.r@${hostname()}`, lockFile('a').replace(/\.tmp$/, end));
    await Promise.all([1, 2, 3, 4].map((i) => store({ locks: dead }).put('a', bytes(`${i}`))));
    expect(await filesUnder(root)).toEqual(['a']);
  });

  test('an earlier process with our pid is dead, whatever the system says of the pid', async () => {
    await writeFile(lockFile('a'), JSON.stringify({ pid: process.pid, host: hostname(), run: 'earlier' }));
    await store({ locks: { patienceMs: 0, isAlive: () => true } }).put('a', bytes('x'));
    expect(await filesUnder(root)).toEqual(['a']);
  });

  test.each([
    ['a live process', { pid: 7, host: hostname(), run: 'r' }, 'process 7 on'],
    [
      'a process of another host',
      { pid: 8, host: 'elsewhere.invalid', run: 'r' },
      'process 8 on elsewhere.invalid',
    ],
    ['nobody known', 'junk', 'an unnamed process'],
  ])('the lock of %s is respected and named', async (_, holder, text) => {
    await writeFile(lockFile('a'), JSON.stringify(holder));
    const impatient = store({ locks: { patienceMs: 0, isAlive: (pid) => pid === 7 } });
    await expect(impatient.put('a', bytes('x'))).rejects.toThrow(text);
    expect(await codeOf(impatient.put('a', bytes('x')))).toBe('CAIRN-STORE-CONFLICT');
    expect(await filesUnder(root)).toEqual([lockFile('a').slice(root.length + 1)]);
  });
});

describe('what killed processes have left', () => {
  const holder = (pid: number): string => JSON.stringify({ pid, host: hostname(), run: 'r' });
  const old = async (file: string): Promise<void> => {
    await writeFile(file, 'torn');
    await utimes(file, new Date(0), new Date(0));
  };

  test('goes, there and in the folder that is named: locks of the dead, and what is older than an hour', async () => {
    await store().put('.pulumi/locks/dev/1.json', bytes('{}'));
    const locks = join(root, '.pulumi', 'locks', 'dev');
    for (const folder of [scratch(), locks]) {
      await writeFile(join(folder, 'dead.json.lock.tmp'), holder(7));
      await writeFile(join(folder, 'live.json.lock.tmp'), holder(8));
      await old(join(folder, 'old.json.0123.tmp'));
      await old(join(folder, 'nobody.json.lock.tmp'));
      await writeFile(join(folder, 'new.json.0123.tmp'), 'under way');
    }
    await store({ locks: { isAlive: (pid) => pid === 8 } }).sweep('.pulumi/locks/dev/');
    const kept = ['live.json.lock.tmp', 'new.json.0123.tmp'];
    expect((await readdir(scratch())).sort()).toEqual(kept);
    expect((await readdir(locks)).sort()).toEqual(['1.json', ...kept]);
  });

  test('a store without such folders has nothing to remove', async () => {
    await rm(join(root, '.pulumi'), { recursive: true });
    await store().sweep('.pulumi/locks/dev/');
    expect(await filesUnder(root)).toEqual([]);
  });
});

test('whoever finds no folder for temporary files tries again, also if somebody else has made it meanwhile', async () => {
  let opened = 0;
  const disk = faultyDisk((call, path) =>
    call === 'open' && path.endsWith('.tmp') && (opened += 1) === 1 ? 'ENOENT' : undefined,
  );
  await store({ disk }).put('a', bytes('1'), { ifAbsent: true });
  await rm(join(root, '.pulumi'), { recursive: true });
  const keys = Array.from({ length: 20 }, (_, index) => `b${index}`);
  await Promise.all(keys.map((key, index) => store().put(key, bytes('1'), { ifAbsent: index % 2 === 0 })));
  expect(await filesUnder(root)).toEqual(['a', ...keys].sort());
});

test('temporary files are in a folder of their own, which is made when something needs it', async () => {
  await rm(join(root, '.pulumi'), { recursive: true });
  const temporary: string[] = [];
  const disk = faultyDisk((call, path) => {
    if (call === 'open' && path.endsWith('.tmp')) temporary.push(dirname(path));
    return undefined;
  });
  await store({ disk }).put('s/dev.json', bytes('1'), { ifAbsent: true });
  await store({ disk }).put('s/dev.json', bytes('2'));
  await store({ disk }).copy('s/dev.json', 's/copy.json');
  await store({ disk }).delete('s/copy.json');
  expect(new Set(temporary)).toEqual(new Set([scratch()]));
  expect(await filesUnder(root)).toEqual(['s/dev.json']);
});

describe('artefacts of other drivers', () => {
  test('.attrs and .tmp files are not listed', async () => {
    await store().put('s/dev.json', bytes('{}'));
    await writeFile(join(root, 's/dev.json.attrs'), 'not even json');
    await writeFile(join(root, 's/dev.json.17f3.tmp'), 'torn');
    expect((await store().list('s/')).map((row) => row.key)).toEqual(['s/dev.json']);
    expect(Buffer.from((await store().get('s/dev.json'))?.bytes ?? []).toString()).toBe('{}');
  });

  test.each([
    ['put', (mine: FileBlobStore) => mine.put('a', bytes('new')), ['a', 'b']],
    ['copy onto it', (mine: FileBlobStore) => mine.copy('b', 'a'), ['a', 'b']],
    ['delete', (mine: FileBlobStore) => mine.delete('a'), ['b']],
  ])('%s removes the attributes of the blob, which would no longer be true', async (_, act, left) => {
    await writeFile(join(root, 'a'), 'old');
    await writeFile(join(root, 'b'), 'other');
    await writeFile(join(root, 'a.attrs'), '{"md5":"old"}');
    await act(store());
    expect(await filesUnder(root)).toEqual(left);
  });

  test('a directory is not a blob', async () => {
    await mkdir(join(root, 'dir'));
    expect(await store().get('dir')).toBeUndefined();
    expect(await store().delete('dir')).toEqual({ ok: true, existed: false });
    expect(await store().get('dir/x/y')).toBeUndefined();
  });
});

describe('failures of the disk', () => {
  const KINDS = [
    ['ENOSPC', 'CAIRN-STORE-FULL'],
    ['EDQUOT', 'CAIRN-STORE-FULL'],
    ['EROFS', 'CAIRN-STORE-READ-ONLY'],
    ['EACCES', 'CAIRN-STORE-DENIED'],
    ['EPERM', 'CAIRN-STORE-DENIED'],
    ['EIO', 'CAIRN-STORE-FAILED'],
  ] as const;

  test.each(KINDS)(
    '%s while writing is %s, says what was written, and leaves the old blob',
    async (code, expected) => {
      await store().put('s/dev.json', bytes('old'));
      const faulty = store({
        disk: faultyDisk((call, path) =>
          call === 'file.write' && !path.endsWith('.lock.tmp') ? code : undefined,
        ),
      });
      const error: unknown = await faulty.put('s/dev.json', bytes('new')).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        diagnostics: [
          { code: expected, hint: expect.stringContaining(root) as unknown, causes: [`${code}: made up`] },
        ],
      });
      expect(error).toMatchObject({
        message: expect.stringContaining('cannot write "s/dev.json"') as unknown,
      });
      expect(await readFile(join(root, 's/dev.json'), 'utf8')).toBe('old');
      expect(await filesUnder(root)).toEqual(['s/dev.json']);
    },
  );

  // Whatever call fails first, the blob is whole: the old content or the new one. Nothing else is left behind.
  test.each(['mkdir', 'open', 'file.write', 'file.sync', 'rename', 'file.close'])(
    'a put that fails in %s leaves a whole blob',
    async (failing) => {
      await store().put('s/a', bytes('old'));
      let failed = false;
      const disk = faultyDisk((call, path) => {
        if (failed || call !== failing || path.endsWith('.lock.tmp')) return undefined;
        failed = true;
        return 'EIO';
      });
      expect(await codeOf(store({ disk }).put('s/a', bytes('new')))).toBe('CAIRN-STORE-FAILED');
      expect(await readFile(join(root, 's/a'), 'utf8')).toBe('old');
      expect(await filesUnder(root)).toEqual(['s/a']);
    },
  );

  test.each([
    ['get', (mine: FileBlobStore) => mine.get('a'), 'read "a"'],
    ['list', (mine: FileBlobStore) => mine.list(''), 'list ""'],
    ['delete', (mine: FileBlobStore) => mine.delete('a'), 'delete "a"'],
    ['copy', (mine: FileBlobStore) => mine.copy('a', 'b'), 'copy "a" to "b"'],
    ['openSegment', (mine: FileBlobStore) => mine.openSegment('j', { create: 'exclusive' }), 'create "j"'],
  ])('%s says what it could not do', async (_, act, doing) => {
    await store().put('a', bytes('x'));
    const denied = store({ disk: faultyDisk(() => 'EACCES') });
    await expect(act(denied)).rejects.toThrow(`cannot ${doing}: permission is denied`);
  });

  test('deleting needs no room, with a condition and without one', async () => {
    const disk = faultyDisk((call) => (['file.write', 'symlink'].includes(call) ? 'ENOSPC' : undefined));
    const put = await store().put('a', bytes('x'));
    await store().put('b', bytes('x'));
    const full = store({ disk });
    expect(await codeOf(full.put('a', bytes('y')))).toBe('CAIRN-STORE-FULL');
    expect(await full.delete('a', { ifVersion: put.ok ? put.version : '' })).toMatchObject({ ok: true });
    expect(await full.delete('b')).toMatchObject({ ok: true });
    expect(await filesUnder(root)).toEqual([]);
  });

  test('a segment whose directory entry cannot be made durable does not exist', async () => {
    const disk = faultyDisk((call, path) =>
      call === 'file.sync' && path === dirname(join(root, 'j')) ? 'EIO' : undefined,
    );
    expect(await codeOf(store({ disk }).openSegment('j', { create: 'exclusive' }))).toBe(
      'CAIRN-STORE-FAILED',
    );
    expect(await filesUnder(root)).toEqual([]);
  });

  test.each([
    ['file.writev', true],
    ['file.writev', false],
    ['file.datasync', false],
  ])(
    'after %s fails (write-through: %s), a segment stays broken and keeps what was durable',
    async (failing, writeThrough) => {
      let full = false;
      const disk = faultyDisk((call) => (full && call === failing ? 'ENOSPC' : undefined));
      const opened = await store({ disk, writeThrough }).openSegment('j', { create: 'exclusive' });
      if (!opened.ok) throw new Error('not opened');
      const { segment } = opened;
      await segment.append(bytes('durable'));
      full = true;
      const outcomes = await Promise.all([
        codeOf(segment.append(bytes('lost'))),
        codeOf(segment.append(bytes('too'))),
      ]);
      full = false;
      expect([...outcomes, await codeOf(segment.append(bytes('later')))]).toEqual(
        Array(3).fill('CAIRN-STORE-FULL'),
      );
      expect(segment.durableSize).toBe(7);
      await segment.close();
      expect(await readFile(join(root, 'j'), 'utf8')).toBe('durable');
    },
  );

  test('a short write is completed', async () => {
    const short: Disk = {
      ...realDisk,
      open: async (path, flags, mode) => {
        const file = await realDisk.open(path, flags, mode);
        return new Proxy(file, {
          get: (object, name) => {
            if (name === 'writev')
              return (buffers: readonly Uint8Array[]) => object.write(Buffer.concat(buffers), 0, 3);
            if (name === 'write') return (data: Uint8Array, offset: number) => object.write(data, offset, 1);
            const member: unknown = Reflect.get(object, name, object);
            return typeof member === 'function' ? (member.bind(object) as unknown) : member;
          },
        });
      },
    };
    const opened = await store({ disk: short }).openSegment('j', { create: 'exclusive' });
    if (!opened.ok) throw new Error('not opened');
    await Promise.all([opened.segment.append(bytes('hello ')), opened.segment.append(bytes('world'))]);
    await opened.segment.close();
    expect(await readFile(join(root, 'j'), 'utf8')).toBe('hello world');
  });
});

describe('durability', () => {
  async function trace(act: (mine: FileBlobStore) => Promise<unknown>): Promise<string[]> {
    const calls: string[] = [];
    const disk = faultyDisk((call, path) => {
      if (!path.endsWith('.lock.tmp') && call !== 'file.stat')
        calls.push(`${call} ${path.slice(root.length).replace(/\.[0-9a-f]{16}\.tmp$/, '.*')}`);
      return undefined;
    });
    await act(store({ disk }));
    return calls.filter((call) => /sync|rename|link /.test(call));
  }

  test('a put syncs the file before its name, and the name before it resolves', async () => {
    expect(await trace((mine) => mine.put('d/a', bytes('x')))).toEqual([
      'file.sync ',
      'file.sync /.pulumi/tmp/a.*',
      'rename /.pulumi/tmp/a.*',
      'file.sync /d',
      'unlink /d/a.attrs',
    ]);
  });

  test.each([
    [true, ['file.writev', 'file.writev']],
    [false, ['file.writev', 'file.datasync', 'file.writev', 'file.datasync']],
  ])(
    'appends made together share one flush; a later one has its own (write-through: %s)',
    async (writeThrough, expected) => {
      const calls: string[] = [];
      const flags: (string | number)[] = [];
      const traced = faultyDisk((call) => void calls.push(call));
      const disk: Disk = {
        ...traced,
        open: (path, how, mode) => (flags.push(how), traced.open(path, how, mode)),
      };
      const opened = await store({ disk, writeThrough }).openSegment('j', { create: 'exclusive' });
      if (!opened.ok) throw new Error('not opened');
      await Promise.all(Array.from({ length: 100 }, () => opened.segment.append(bytes('x'))));
      await opened.segment.append(bytes('y'));
      await opened.segment.close();
      expect(calls.filter((call) => /writev|datasync/.test(call))).toEqual(expected);
      expect((Number(flags[0]) & constants.O_DSYNC) === constants.O_DSYNC).toBe(writeThrough);
    },
  );

  test('a store that is closed leaves no file of a segment open', async () => {
    const calls: string[] = [];
    const mine = store({ disk: faultyDisk((call) => void calls.push(call)) });
    const [one, two] = [
      await mine.openSegment('one', { create: 'exclusive' }),
      await mine.openSegment('two', { create: 'exclusive' }),
    ];
    if (!one.ok || !two.ok) throw new Error('not opened');
    await one.segment.close();
    calls.length = 0;
    await Promise.all([two.segment.append(bytes('x')), mine.close()]);
    expect(calls.filter((call) => call === 'file.close')).toHaveLength(1);
    expect(await readFile(join(root, 'two'), 'utf8')).toBe('x');
  });

  test('directories get the mode they are asked to have', async () => {
    await store({ directoryMode: 0o700 }).put('deep/er/a', bytes('x'));
    expect((await stat(join(root, 'deep/er'))).mode & 0o777).toBe(0o700);
  });
});

test('names of a folder: blobs and folders, nothing below them, none of the store itself', async () => {
  const files = store();
  for (const key of ['j/1/operation.json', 'j/2/operation.json', 'j/note']) await files.put(key, bytes('x'));
  await writeFile(join(root, 'j', 'note.attrs'), '');
  expect([...(await files.names('j/'))].sort()).toEqual(['1', '2', 'note']);
  expect(await files.names('nowhere/')).toEqual([]);
});

describe('names of a large folder', () => {
  /** Makes a folder of 200 files whose last change was this many seconds ago. Returns a store that counts listings. */
  async function largeFolder({ ago, type }: { readonly ago: number; readonly type?: number }) {
    await mkdir(join(root, 'h'));
    for (let at = 0; at < 200; at += 1) await writeFile(join(root, 'h', `${at}.json`), '');
    await writeFile(join(root, 'h', '1.json.attrs'), '');
    let listings = 0;
    let movedMs = -ago * 1000;
    const disk: Disk = {
      ...realDisk,
      readNames: (path) => {
        listings += 1;
        return realDisk.readNames(path);
      },
      // Nothing but the kernel sets the time of the last change.
      stat: async (path) => {
        const { ino, size, mtimeMs, ctimeMs } = await realDisk.stat(path);
        const times = { mtimeMs: mtimeMs + movedMs, ctimeMs: ctimeMs + movedMs };
        return { ino, size, ...times, isFile: () => false, isDirectory: () => true };
      },
      statfs: type === undefined ? realDisk.statfs : async () => ({ type }),
    };
    const files = store({ disk, keepNames });
    return {
      count: () => listings,
      names: () => files.names('h/'),
      moveTime: (ms: number) => void (movedMs += ms),
    };
  }
  const EXT = 0xef53;
  const NFS = 0x6969;

  test('are listed again after a change only', async () => {
    const { names, count } = await largeFolder({ ago: 60, type: EXT });
    const found = [await names(), await names(), await names(), await names()];
    expect(found[0]).toHaveLength(200);
    expect(found[3]).toBe(found[1]);
    expect([...new Set(found.map((each) => each.join()))]).toHaveLength(1);
    expect(count()).toBe(process.platform === 'linux' ? 2 : 4);
    await writeFile(join(root, 'h', 'new.json'), '');
    expect(await names()).toContain('new.json');
    await rm(join(root, 'h', '7.json'));
    expect(await names()).not.toContain('7.json');
    await rm(join(root, 'h'), { recursive: true });
    expect(await names()).toEqual([]);
  });

  test.each([
    ['changed a moment ago, so that the next change may have the same time', { ago: 1, type: EXT }],
    ['has a time that is still to come', { ago: -60, type: EXT }],
    ['is on a file system of several machines', { ago: 60, type: NFS }],
  ])('are listed each time if the folder %s', async (_title, folder) => {
    const { names, count } = await largeFolder(folder);
    for (let call = 0; call < 4; call += 1) expect(await names()).toHaveLength(200);
    expect(count()).toBe(4);
  });

  test('are kept once the change is long enough ago', async () => {
    const { names, count, moveTime } = await largeFolder({ ago: 1, type: EXT });
    for (let call = 0; call < 3; call += 1) await names();
    moveTime(-5000);
    for (let call = 0; call < 3; call += 1) expect(await names()).toHaveLength(200);
    expect(count()).toBe(process.platform === 'linux' ? 4 : 6);
  });
});

test('an empty folder is removed; one that is not, or that is not there, is no failure', async () => {
  const files = store();
  for (const key of ['j/1/a', 'j/2/a']) await files.put(key, bytes('x'));
  await files.delete('j/1/a');
  for (const folder of ['j/1/', 'j/2/', 'j/3/']) await files.removeFolder(folder);
  expect(await files.names('j/')).toEqual(['2']);
  expect(
    await codeOf(
      store({ disk: faultyDisk((call) => (call === 'rmdir' ? 'EIO' : undefined)) }).removeFolder('j/2/'),
    ),
  ).toBe('CAIRN-STORE-FAILED');
});

test('a file of more than 2 GiB is neither read nor written', async () => {
  await writeFile(join(root, 'state.json'), 'old');
  const large = { length: 2 ** 31 } as Uint8Array;
  await expect(store().put('state.json', large)).rejects.toMatchObject({
    diagnostics: [
      {
        code: 'CAIRN-STATE-TOO-LARGE',
        summary: 'cannot write "state.json": it is larger than 2 GiB',
        causes: ['it would have 2147483648 bytes'],
      },
    ],
  });
  expect(await readFile(join(root, 'state.json'), 'utf8')).toBe('old');
  // No block of the file is written.
  await truncate(join(root, 'state.json'), 2 ** 31);
  await expect(store().get('state.json')).rejects.toMatchObject({
    diagnostics: [
      { code: 'CAIRN-STATE-TOO-LARGE', summary: 'cannot read "state.json": it is larger than 2 GiB' },
    ],
  });
});
