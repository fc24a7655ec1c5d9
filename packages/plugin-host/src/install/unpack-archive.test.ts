import { mkdir, mkdtemp, readFile, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { unpackArchive } from './unpack-archive.js';

let base = '';
beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'unpack-'));
  await mkdir(path.join(base, 'in'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

/** A member: a file with a text, or a link (`-> target`). */
type Members = Readonly<Record<string, string>>;

async function unpacked(members: Members): Promise<void> {
  const archive = pack();
  for (const [name, what] of Object.entries(members)) {
    if (what.startsWith('-> ')) archive.entry({ name, type: 'symlink', linkname: what.slice(3) });
    else archive.entry({ name }, what);
  }
  archive.finalize();
  const file = path.join(base, 'a.tar.gz');
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  await writeFile(file, gzipSync(Buffer.concat(chunks)));
  await unpackArchive(file, path.join(base, 'in'));
}

test('files, and links to what lies in the archive', async () => {
  await unpacked({ 'bin/tool': 'text', tool: '-> bin/tool', latest: '-> bin' });
  expect(await readFile(path.join(base, 'in/tool'), 'utf8')).toBe('text');
  expect(await readlink(path.join(base, 'in/latest'))).toBe('bin');
});

const OUTSIDE: readonly (readonly [string, Members, RegExp])[] = [
  ['a name that goes up', { '../evil': 'x' }, /lies outside/],
  ['a name that goes up within', { 'a/../../evil': 'x' }, /lies outside/],
  ['a link that goes up', { up: '-> ..', 'up/evil': 'x' }, /points outside/],
  ['a link to another place', { etc: '-> /etc' }, /points outside/],
  [
    'links that only together go up',
    { 'd/here': '-> ..', up: '-> d/here/..', 'up/evil': 'x' },
    /"up\/evil" lies behind a link/,
  ],
  ['a directory behind a link', { 'd/here': '-> ..', 'd/here/a/b': 'x' }, /lies behind a link/],
];
test.each(OUTSIDE)('%s is refused, and nothing is written outside', async (_what, members, why) => {
  await expect(unpacked(members)).rejects.toThrow(why);
  expect((await readdir(base)).sort()).toEqual(['a.tar.gz', 'in']);
});
