import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DrivenResource, SECRET, isMarked } from '@cairn/testkit/driven-resource';
import provider from './provider.js';

type Values = Readonly<Record<string, unknown>>;
const isRoot = process.getuid?.() === 0;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'cairn-local-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const at = (...parts: string[]): string => path.join(directory, ...parts);
const text = (file: string): string => readFileSync(at(file), 'utf8');
const mode = (file: string): string => (statSync(at(file)).mode & 0o7777).toString(8);

/** Returns a driven resource of this provider, in the folder of the test. */
async function driven(type: string): Promise<DrivenResource> {
  const local = provider();
  await local.handshake({ engineAddress: '', programDirectory: directory });
  return new DrivenResource(local, `cairn-local:index:${type}`);
}
const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

describe('File', () => {
  test('is written with its parents, changed in place, and taken away', async () => {
    const file = await (await driven('File')).create({ path: 'a/b.txt', content: 'hello' });
    expect([text('a/b.txt'), mode('a/b.txt'), file.id]).toEqual(['hello', '644', 'a/b.txt']);
    expect(file.outputs).toEqual({ path: 'a/b.txt', mode: '0644', size: 5, hash: HELLO });
    const inode = statSync(at('a/b.txt')).ino;
    await file.update({ path: 'a/b.txt', content: 'hello', mode: '0600' });
    expect([mode('a/b.txt'), statSync(at('a/b.txt')).ino]).toEqual(['600', inode]);
    await file.update({ path: 'a/b.txt', content: 'bye', mode: '0600' });
    expect([text('a/b.txt'), mode('a/b.txt')]).toEqual(['bye', '600']);
    expect(readdirSync(at('a'))).toEqual(['b.txt']);
    await file.delete();
    expect(existsSync(at('a/b.txt'))).toBe(false);
    await file.delete();
  });

  test.each<[string, Values, { changed: string[]; replace: string[] }]>([
    ['nothing', { path: 'f', content: 'hello' }, { changed: [], replace: [] }],
    [
      'the same mode, written otherwise',
      { path: 'f', content: 'hello', mode: '644' },
      { changed: [], replace: [] },
    ],
    [
      'the same content, encoded',
      { path: 'f', content: 'aGVsbG8=', encoding: 'base64' },
      { changed: [], replace: [] },
    ],
    ['content', { path: 'f', content: 'x' }, { changed: ['content'], replace: [] }],
    ['mode', { path: 'f', content: 'hello', mode: '0600' }, { changed: ['mode'], replace: [] }],
    ['the path', { path: 'g', content: 'hello' }, { changed: ['path'], replace: ['path'] }],
    [
      'the same path, written otherwise',
      { path: './f', content: 'hello' },
      { changed: ['path'], replace: [] },
    ],
  ])('diff of %s', async (_what, news, expected) => {
    const file = await (await driven('File')).create({ path: 'f', content: 'hello' });
    // A replacement at the same path must never remove the file that it has just created.
    expect(await file.diff(news)).toEqual({ ...expected, first: true });
  });

  test('drift: content, mode and absence are seen and mended', async () => {
    const wanted = { path: 'f', content: 'hello' };
    const file = await (await driven('File')).create(wanted);
    expect(await file.refresh()).toBe(true);
    expect((await file.diff(wanted)).changed).toEqual([]);
    writeFileSync(at('f'), 'vandalised');
    chmodSync(at('f'), 0o600);
    expect(await file.refresh()).toBe(true);
    expect(file.inputs).toMatchObject({ content: 'vandalised', mode: '0600' });
    expect((await file.diff(wanted)).changed).toEqual(['mode', 'content']);
    await file.update(wanted);
    expect([text('f'), mode('f')]).toEqual(['hello', '644']);
    writeFileSync(at('f'), Buffer.from([0xff, 0xfe]));
    await file.refresh();
    expect(file.inputs).toMatchObject({ content: '//4=', encoding: 'base64' });
    rmSync(at('f'));
    expect(await file.refresh()).toBe(false);
    mkdirSync(at('f'));
    expect(await file.refresh()).toBe(false);
  });

  test('a source is copied; a change of it is a change', async () => {
    writeFileSync(at('source'), 'one');
    const wanted = { path: 'copy', source: 'source' };
    const file = await (await driven('File')).create(wanted);
    expect(text('copy')).toBe('one');
    expect((await file.diff(wanted)).changed).toEqual([]);
    writeFileSync(at('source'), 'two');
    expect((await file.diff(wanted)).changed).toEqual(['source']);
    await file.update(wanted);
    expect(text('copy')).toBe('two');
    writeFileSync(at('copy'), 'drift');
    await file.refresh();
    expect((await file.diff(wanted)).changed).toEqual(['source']);
  });

  test('is imported by path; the program then finds it unchanged', async () => {
    writeFileSync(at('there'), 'old');
    chmodSync(at('there'), 0o640);
    const file = await driven('File');
    expect(await file.import('there')).toBe(true);
    expect(file.inputs).toEqual({ path: 'there', content: 'old', encoding: 'utf8', mode: '0640' });
    expect((await file.diff({ path: 'there', content: 'old', mode: '0640' })).changed).toEqual([]);
    expect(await (await driven('File')).import('nowhere')).toBe(false);
  });

  test.each<[string, Values, string]>([
    ['neither content nor source', { path: 'f' }, 'content'],
    ['both', { path: 'f', content: '', source: 'g' }, 'content'],
    ['a mode that is none', { path: 'f', content: '', mode: '999' }, 'mode'],
    ['an empty path', { path: '', content: '' }, 'path'],
  ])('refuses %s', async (_what, news, property) => {
    expect((await (await driven('File')).check(news)).map((one) => one.property)).toEqual([property]);
  });

  test('says what it cannot write and why, and leaves nothing behind', async () => {
    writeFileSync(at('plain'), '');
    mkdirSync(at('taken'));
    const file = await driven('File');
    await expect(file.create({ path: 'plain/f', content: 'x' })).rejects.toMatchObject({
      inDoubt: false,
      message: expect.stringMatching(/^cannot write .*plain\/f: /) as string,
    });
    await expect(file.create({ path: 'taken', content: 'x' })).rejects.toThrow(
      /a directory of that name exists/,
    );
    await expect(file.create({ path: 'f', source: 'missing' })).rejects.toThrow(
      /cannot read .*missing: it does not exist/,
    );
    expect(readdirSync(directory).sort()).toEqual(['plain', 'taken']);
  });

  (isRoot ? test.skip : test)('permission denied (skipped as root, who may write anywhere)', async () => {
    mkdirSync(at('closed'), { mode: 0o500 });
    await expect((await driven('File')).create({ path: 'closed/f', content: 'x' })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  test('what a killed write has left goes with the next create, read or delete of the file, and nothing else does', async () => {
    const watched = new Promise<string>((resolve) => {
      const watcher = watch(directory, (_, name) => {
        if (name?.endsWith('.tmp') !== true) return;
        watcher.close();
        resolve(name);
      });
    });
    const file = await (await driven('File')).create({ path: 'f', content: 'hello' });
    const draft = await watched;
    writeFileSync(at('.other.tmp'), '');
    const steps = [
      () => file.create({ path: 'f', content: 'hello' }),
      () => file.update({ path: 'f', content: 'new' }),
      () => file.refresh(),
      () => file.delete(),
    ];
    for (const [index, step] of steps.entries()) {
      writeFileSync(at(draft), 'hal');
      await step();
      const left = index === steps.length - 1 ? [] : ['f'];
      expect(readdirSync(directory)).toEqual(['.other.tmp', ...left]);
    }
    await Promise.all([1, 2, 3].map((n) => file.create({ path: 'f', content: `${n}` })));
    expect(readdirSync(directory)).toEqual(['.other.tmp', 'f']);
    const long = 'n'.repeat(250);
    await file.create({ path: long, content: '' });
    expect(existsSync(at(long))).toBe(true);
  });

  test('a link is followed when read and replaced by a file when written', async () => {
    writeFileSync(at('target'), 'hello');
    symlinkSync('target', at('link'));
    const file = await driven('File');
    expect(await file.import('link')).toBe(true);
    await file.update({ path: 'link', content: 'new' });
    expect([text('target'), text('link')]).toEqual(['hello', 'new']);
  });
});

test('SensitiveFile: for its owner only; content and what reveals it are secret', async () => {
  const file = await (await driven('SensitiveFile')).create({ path: 'f', content: 'hello' });
  expect([text('f'), mode('f')]).toEqual(['hello', '600']);
  expect(file.shown).toEqual({ path: 'f', mode: '0600', size: 5, hash: SECRET });
  expect(isMarked(file.inputs['content'])).toBe(true);
  writeFileSync(at('f'), 'drift');
  await file.refresh();
  expect(isMarked(file.inputs['content'])).toBe(true);
});

describe('Directory', () => {
  test('is made with its parents, changed in place, seen to drift, and deleted when empty', async () => {
    const folder = await (await driven('Directory')).create({ path: 'a/b' });
    expect([mode('a/b'), folder.id, folder.outputs]).toEqual(['755', 'a/b', { path: 'a/b', mode: '0755' }]);
    await folder.update({ path: 'a/b', mode: '0700' });
    expect(mode('a/b')).toBe('700');
    chmodSync(at('a/b'), 0o711);
    await folder.refresh();
    expect((await folder.diff({ path: 'a/b', mode: '0700' })).changed).toEqual(['mode']);
    expect(await folder.diff({ path: 'c', mode: '0711' })).toEqual({
      changed: ['path'],
      replace: ['path'],
      first: true,
    });
    await folder.delete();
    expect(existsSync(at('a/b'))).toBe(false);
    expect(await folder.refresh()).toBe(false);
    await folder.delete();
  });

  test('with something in it is deleted only by force', async () => {
    const folder = await (await driven('Directory')).create({ path: 'd' });
    writeFileSync(at('d/one'), '');
    await expect(folder.delete()).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringMatching(/not empty \(one\).*force: true/) as string,
    });
    await folder.update({ path: 'd', force: true });
    await folder.delete();
    expect(existsSync(at('d'))).toBe(false);
  });

  test('is imported by path', async () => {
    mkdirSync(at('there'), { mode: 0o755 });
    const folder = await driven('Directory');
    expect(await folder.import('there')).toBe(true);
    expect((await folder.diff({ path: 'there' })).changed).toEqual([]);
  });
});

describe('Command', () => {
  test('runs at create, update and delete, in the directory, with variables, input and the last output', async () => {
    const inputs = {
      create: 'read line; echo "$line $GREETING"; echo warn >&2; pwd > where',
      update: 'echo "was $CAIRN_COMMAND_STDOUT"',
      delete: 'echo "$CAIRN_COMMAND_STDOUT" > deleted',
      stdin: 'hi\n',
      environment: { GREETING: 'there' },
    };
    const command = await (await driven('Command')).create(inputs);
    expect(command.outputs).toEqual({ stdout: 'hi there', stderr: 'warn' });
    expect(text('where').trim()).toMatch(new RegExp(`${path.basename(directory)}$`));
    await command.update({ ...inputs, stdin: 'ho\n' });
    expect(command.outputs['stdout']).toBe('was hi there');
    await command.delete();
    expect(text('deleted').trim()).toBe('was hi there');
  });

  test('without update, create runs again; a change of delete alone runs nothing', async () => {
    const inputs = { create: 'echo x >> runs; wc -l < runs | tr -d " "', environment: { A: '1' } };
    const command = await (await driven('Command')).create(inputs);
    await command.update({ ...inputs, environment: { A: '2' } });
    expect(command.outputs['stdout']).toBe('2');
    await command.update({ ...inputs, environment: { A: '2' }, delete: 'true' });
    expect(text('runs')).toBe('x\nx\n');
  });

  test('triggers replace, other inputs do not', async () => {
    const inputs = { create: 'true', triggers: [1, { a: 2 }] };
    const command = await (await driven('Command')).create(inputs);
    expect(await command.diff({ ...inputs, triggers: [1, { a: 3 }] })).toMatchObject({
      replace: ['triggers'],
    });
    expect(await command.diff({ ...inputs, stdin: 'x' })).toMatchObject({ changed: ['stdin'], replace: [] });
  });

  test('another interpreter and directory', async () => {
    mkdirSync(at('sub'));
    const command = await (
      await driven('Command')
    ).create({
      create: 'console.log(process.cwd().split("/").at(-1))',
      interpreter: [process.execPath, '-e'],
      directory: 'sub',
    });
    expect(command.outputs['stdout']).toBe('sub');
  });

  test('a failure tells the exit code and the end of stderr, and that nothing is in doubt', async () => {
    const command = await driven('Command');
    const failing = command.create({ create: 'for i in $(seq 1 30); do echo "line $i" >&2; done; exit 7' });
    await expect(failing).rejects.toMatchObject({
      inDoubt: false,
      message: expect.stringMatching(
        /^the create command exited with code 7; its last lines:\nline 21\n[^]*line 30$/,
      ) as string,
    });
    await expect(command.create({ create: 'kill -KILL $$' })).rejects.toThrow(/was ended by SIGKILL/);
    await expect(command.create({ create: 'x', interpreter: ['/nowhere/sh'] })).rejects.toThrow(
      /cannot start \/nowhere\/sh/,
    );
  });

  test('secrets given to a command are in no error, and what it writes is secret', async () => {
    const { Secret } = jest.requireActual<{ Secret: new (value: string) => unknown }>('@cairn/values');
    const command = await driven('Command');
    const inputs = {
      environment: { TOKEN: new Secret('planted-token') },
      stdin: new Secret('planted-input\n'),
    };
    const failing = command.create({ ...inputs, create: 'read x; echo "$TOKEN and $x" >&2; exit 1' });
    const message = await failing.then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toMatch(/:\n\[secret\] and \[secret\]$/);
    await command.create({ ...inputs, create: 'echo "$TOKEN"' });
    expect(command.shown).toEqual({ stdout: SECRET, stderr: SECRET });
  });

  test('keys to the stack’s secrets are not passed on', async () => {
    process.env['CAIRN_CONFIG_PASSPHRASE'] = 'key';
    try {
      const command = await (await driven('Command')).create({ create: 'echo "[$CAIRN_CONFIG_PASSPHRASE]"' });
      expect(command.outputs['stdout']).toBe('[]');
    } finally {
      delete process.env['CAIRN_CONFIG_PASSPHRASE'];
    }
  });

  const forever = 'sleep 1000 & echo $! > child; echo $$ > shell; mkfifo wait; cat wait';
  const isRunning = (pidFile: string): boolean => {
    try {
      const pid = Number(text(pidFile));
      process.kill(pid, 0);
      // The process has ended, but no process has read its status. Where orphans are not adopted they remain so.
      return !/^\d+ \(.*\) Z/.test(
        existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '',
      );
    } catch {
      return false;
    }
  };
  const whenEnded = async (pidFile: string): Promise<void> => {
    while (isRunning(pidFile)) await new Promise((resolve) => setImmediate(resolve));
  };
  const whenThere = async (file: string): Promise<void> => {
    while (!existsSync(at(file)) || text(file) === '') await new Promise((resolve) => setImmediate(resolve));
  };

  test('the time limit ends it with everything it started', async () => {
    const command = await driven('Command');
    await expect(command.create({ create: forever }, { timeoutSeconds: 0.3 })).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    });
    await Promise.all([whenEnded('child'), whenEnded('shell')]);
  });

  test('a cancel ends it with everything it started', async () => {
    const command = await driven('Command');
    const running = command.create({ create: forever });
    const outcome = expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    await whenThere('shell');
    await command.cancel();
    await outcome;
    await Promise.all([whenEnded('child'), whenEnded('shell')]);
  });

  test('what is left in the background does not hold it up', async () => {
    const command = await (
      await driven('Command')
    ).create({ create: 'sleep 1000 & echo $! > child; echo done' });
    expect(command.outputs['stdout']).toBe('done');
    process.kill(Number(text('child')));
  });
});
