import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBlobStore } from './open.js';
import { parseFileUrl } from './file/file-url.js';

const base = { home: '/home/me', cwd: '/srv/project' };

describe('file:// addresses', () => {
  test.each([
    ['file://~', '/home/me'],
    ['file://~/state', '/home/me/state'],
    ['file://~other', '/srv/project/~other'],
    ['file:///var/state/', '/var/state'],
    ['file://.', '/srv/project'],
    ['file://./sub', '/srv/project/sub'],
    ['file://sub/dir?no_tmp_dir=true', '/srv/project/sub/dir'],
    ['file://../up', '/srv/up'],
    ['file:///with%20space', '/with space'],
  ])('%s is %s', (url, directory) => {
    expect(parseFileUrl(url, base).directory).toBe(directory);
  });

  test.each([
    ['file:///a?create_dir=true', { createDirectory: true, directoryMode: undefined }],
    ['file:///a?create_dir=false&dir_file_mode=0750', { createDirectory: false, directoryMode: 0o750 }],
    ['file:///a?metadata=skip&no_tmp_dir=false', { createDirectory: false, directoryMode: undefined }],
    ['file:///a?base_url=https://x&secret_key_path=/k', { createDirectory: false, directoryMode: undefined }],
  ])('%s has the parameters it states', (url, expected) => {
    expect(parseFileUrl(url, base)).toMatchObject(expected);
  });

  test.each([
    ['file:///a?colour=red', 'unknown parameter "colour"'],
    ['file:///a?constructor=x', 'unknown parameter "constructor"'],
    ['file:///a?metadata=keep', '"metadata" cannot be "keep"'],
    ['file:///a?dir_file_mode=rwx', '"dir_file_mode" cannot be "rwx"'],
    ['file:///a?create_dir=perhaps', '"create_dir" cannot be "perhaps"'],
    ['file:///a?base_url=https://x', 'must be given together'],
    ['file:///a%zz', 'broken % escape'],
  ])('%s is refused: %s', (url, reason) => {
    expect(() => parseFileUrl(url, base)).toThrow(reason);
  });
});

describe('opening', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'cairn-open-'));
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  test('an existing directory opens and works, under the address as typed', async () => {
    await mkdir(join(root, 'state'));
    const store = await openBlobStore('file://~/state', { home: root });
    expect(store.url).toBe('file://~/state');
    await store.put('a', Buffer.from('x'));
    expect((await stat(join(root, 'state/a'))).size).toBe(1);
  });

  test('a missing directory is refused with what to do, and created when asked', async () => {
    const url = `file://${root}/missing/deep`;
    await expect(openBlobStore(url)).rejects.toMatchObject({
      diagnostics: [
        {
          code: 'CAIRN-BACKEND-URL',
          hint: expect.stringContaining(`mkdir -p ${root}/missing/deep`) as unknown,
        },
      ],
    });
    await openBlobStore(url, { createDirectory: true });
    await openBlobStore(`file://${root}/other?create_dir=true`);
    expect((await stat(`${root}/missing/deep`)).isDirectory()).toBe(true);
    expect((await stat(`${root}/other`)).isDirectory()).toBe(true);
  });

  test('a file is no store', async () => {
    await writeFile(join(root, 'f'), '');
    await expect(openBlobStore(`file://${root}/f`)).rejects.toThrow('is not a directory');
    await expect(openBlobStore(`file://${root}/f/sub`, { createDirectory: true })).rejects.toMatchObject({
      diagnostics: [{ code: 'CAIRN-STORE-FAILED' }],
    });
  });

  test.each([
    ['ftp://user:hunter2@host/x', 'unknown scheme "ftp"'],
    ['mem://', 'unknown scheme "mem"'],
    ['constructor://x', 'unknown scheme "constructor"'],
    ['/just/a/path', 'it has no scheme'],
  ])('%s is refused, with the schemes that there are and without the password', async (url, reason) => {
    const error = await openBlobStore(url).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      diagnostics: [
        {
          code: 'CAIRN-BACKEND-URL',
          summary: expect.stringContaining(reason) as unknown,
          hint: expect.stringContaining('file://') as unknown,
        },
      ],
    });
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  test('the hint has the schemes that the caller takes besides', async () => {
    const error = await openBlobStore('localhost:8080', { otherSchemes: ['http'] }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      diagnostics: [{ hint: expect.stringMatching(/azblob:\/\/, http:\/\/\.$/) as unknown }],
    });
  });
});
