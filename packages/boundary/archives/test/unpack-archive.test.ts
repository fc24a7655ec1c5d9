import {
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  realpath,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { pack } from 'tar-stream';
import { unpackArchive } from '../src/index.js';
import type { UnpackOptions } from '../src/index.js';

let base = '';
beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'unpack-')));
});
afterEach(() => rm(base, { recursive: true, force: true }));

/** Members in order: a file with a text, a link (`-> target`), or a directory (`/`). */
type Members = readonly (readonly [name: string, what: string])[];

async function tar(members: Members): Promise<string> {
  const archive = pack();
  for (const [name, what] of members) {
    if (what.startsWith('-> ')) archive.entry({ name, type: 'symlink', linkname: what.slice(3) });
    else if (what === '/') archive.entry({ name, type: 'directory' });
    else archive.entry({ name, mode: name.endsWith('.sh') ? 0o777 : 0o666 }, what);
  }
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  const file = path.join(base, 'archive');
  await writeFile(file, gzipSync(Buffer.concat(chunks)));
  return file;
}

const inside = (...parts: string[]): string => path.join(base, 'in', ...parts);
const unpack = async (members: Members, options?: UnpackOptions): Promise<void> =>
  unpackArchive(await tar(members), inside(), options);

test('files, directories, and links to what lies in the archive', async () => {
  await unpack([
    ['bin/tool.sh', 'text'],
    ['empty', '/'],
    ['tool', '-> bin/tool.sh'],
    ['latest', '-> bin'],
  ]);
  expect(await readFile(inside('tool'), 'utf8')).toBe('text');
  expect(await readlink(inside('latest'))).toBe('bin');
  expect((await stat(inside('empty'))).isDirectory()).toBe(true);
  expect((await stat(inside('bin/tool.sh'))).mode & 0o022).toBe(0);
  expect((await stat(inside('bin/tool.sh'))).mode & 0o100).toBe(0o100);
});

test('leading parts of names are dropped, and the later of two members counts', async () => {
  await unpack(
    [
      ['package/a', 'first'],
      ['package/a', 'second'],
      ['package/b', '-> a'],
      ['package/b', 'a file after all'],
    ],
    { strip: 1 },
  );
  expect(await readFile(inside('a'), 'utf8')).toBe('second');
  expect(await readFile(inside('b'), 'utf8')).toBe('a file after all');
});

const up = (count: number): string => Array<string>(count).fill('..').join('/');
const DEEP = 'd1/d2/d3/d4/d5';

const REFUSED: readonly (readonly [what: string, members: Members, why: RegExp])[] = [
  ['a name that goes up', [['../evil', 'x']], /lies outside/],
  ['a name that goes up within', [['a/../../evil', 'x']], /lies outside/],
  ['a name that goes up by backslashes', [['a\\..\\..\\evil', 'x']], /lies outside/],
  [
    'a link that goes up',
    [
      ['up', '-> ..'],
      ['up/evil', 'x'],
    ],
    /lies behind a link/,
  ],
  ['a link to another place', [['etc', '-> /etc']], /points outside/],
  [
    'a chain of links that only together goes up, with a file of the last name',
    [
      [`${DEEP}/top`, `-> ${up(5)}`],
      ['out', `-> ${DEEP}/top/../evil`],
      ['out', 'x'],
      ['out2', `-> ${DEEP}/top/../evil`],
    ],
    /"out2" points outside/,
  ],
  [
    'a chain through a link that comes later',
    [
      ['out', '-> a/b/../../../evil'],
      ['a', '/'],
      ['a/b', '-> .'],
    ],
    /"out" points outside/,
  ],
  [
    'a member behind a link',
    [
      ['d/here', '-> ..'],
      ['d/here/a/b', 'x'],
    ],
    /lies behind a link/,
  ],
  [
    'a link in the place of a directory',
    [
      ['d/file', 'x'],
      ['d', '-> ..'],
    ],
    /both a file and a directory/,
  ],
  [
    'a directory in the place of a file',
    [
      ['d', 'x'],
      ['d/file', 'x'],
    ],
    /both a file and a directory/,
  ],
];
test.each(REFUSED)('%s is refused, and nothing is written outside', async (_what, members, why) => {
  await expect(unpack(members)).rejects.toThrow(why);
  expect((await readdir(base)).sort()).toEqual(['archive', 'in']);
});

test('a file is not written through a link that the folder has already', async () => {
  await mkdir(inside());
  await writeFile(path.join(base, 'precious'), 'mine');
  await (await import('node:fs/promises')).symlink('../precious', inside('out'));
  await expect(unpack([['out', 'x']])).rejects.toThrow(/EEXIST|ELOOP/);
  expect(await readFile(path.join(base, 'precious'), 'utf8')).toBe('mine');
});

const TOO_MUCH: readonly (readonly [what: string, options: UnpackOptions, why: RegExp])[] = [
  ['too many bytes', { limits: { bytes: 999 } }, /more than 999 bytes/],
  ['too many members', { limits: { entries: 2 } }, /more than 2 members/],
  ['too many bytes for its size', { limits: { freeBytes: 0, ratio: 2 } }, /more than 2 times its size/],
];
test.each(TOO_MUCH)('%s are refused', async (_what, options, why) => {
  const members: Members = [
    ['a', '0'.repeat(1_000)],
    ['b', '0'.repeat(1_000)],
    ['c', '0'.repeat(1_000)],
  ];
  await expect(unpack(members, options)).rejects.toThrow(why);
});

test('a torn archive and one of another kind are errors', async () => {
  const file = await tar([['a', 'x'.repeat(10_000)]]);
  await truncate(file, (await stat(file)).size - 20);
  await expect(unpackArchive(file, inside())).rejects.toThrow();
  await writeFile(file, 'text');
  await expect(unpackArchive(file, inside())).rejects.toThrow(/neither a gzipped tar nor a zip/);
});

test('whatever an archive has, its links and files stay inside', async () => {
  const part = fc.constantFrom('a', 'b', 'c', '..', '.', 'd/e', '../..');
  const name = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 4 });
  const text = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => `-> ${parts.join('/')}`);
  const member = fc.tuple(
    name.map((parts) => parts.join('/')),
    fc.oneof({ weight: 2, arbitrary: text }, fc.constant('x'), fc.constant('/')),
  );
  let unpacked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(member, { minLength: 1, maxLength: 8 }), async (members) => {
      await rm(inside(), { recursive: true, force: true });
      await unpack(members).then(
        () => (unpacked += 1),
        () => undefined,
      );
      expect((await readdir(base)).sort()).toEqual(['archive', 'in']);
      // With types, links to folders are not followed: they may lead in circles.
      for (const found of await readdir(inside(), { recursive: true, withFileTypes: true })) {
        const real = await realpath(path.join(found.parentPath, found.name)).catch(() => inside());
        expect(`${real}${path.sep}`.startsWith(`${inside()}${path.sep}`)).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
  expect(unpacked).toBeGreaterThan(10);
});
