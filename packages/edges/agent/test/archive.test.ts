import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openBlobStore } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import { startS3Server } from '@cairn/testkit/servers';
import type { S3Server } from '@cairn/testkit/servers';
import { pack } from 'tar-stream';
import { SOURCE_LIMITS } from '../src/config/agent-config.js';
import type { ArchiveSource } from '../src/config/agent-config.js';
import { archiveProblem } from '../src/config/read-source.js';
import { ProgramArchive } from '../src/sources/archive.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agent-archive-'));
let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
  Object.assign(process.env, server.env);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Packs members in order: a file with a text, or a link (`-> target`). */
async function packed(...members: readonly (readonly [name: string, what: string])[]): Promise<Buffer> {
  const tar = pack();
  for (const [name, what] of members) {
    if (what.startsWith('-> ')) tar.entry({ name, type: 'symlink', linkname: what.slice(3) });
    else tar.entry({ name }, what);
  }
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  return gzipSync(Buffer.concat(chunks));
}

let copies = 0;
function archive(url: string, more: Partial<ArchiveSource> = {}) {
  const at = path.join(folder, `copy-${(copies += 1)}`);
  return { it: new ProgramArchive({ t: 'archive', url, folder: '.', everyMs: 1000, ...more }, at), at };
}

/** Returns the cause of a failure. */
async function causeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no failure';
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    expect(thrown.diagnostics[0]).toMatchObject({ code: 'CAIRN-AGENT-SOURCE', hint: /./ });
    return thrown.diagnostics[0]?.causes?.join() ?? '';
  }
}

const file = path.join(folder, 'program.tar.gz');
const fileUrl = pathToFileURL(file).href;
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Number of times that the bucket was asked for the archive. */
const fetches = (): number =>
  server.requests.filter(
    ({ method, target }) => method === 'GET' && target.startsWith('/bucket/shop/program.tgz'),
  ).length;

/** Puts an archive where an address leads. */
type Put = (bytes: Buffer) => Promise<void>;
const STORES: readonly (readonly [string, () => readonly [url: string, put: Put]])[] = [
  ['a file', () => [fileUrl, (bytes) => Promise.resolve(writeFileSync(file, bytes))]],
  [
    'a bucket',
    () => {
      const [place = '', query = ''] = server.bucketUrl('bucket', 'shop').split('?');
      const put: Put = async (bytes) => {
        const store = await openBlobStore(`${place}?${query}`);
        await store.put('program.tgz', bytes);
        await store.close();
      };
      return [`${place.replace(/\/$/, '')}/program.tgz?${query}`, put];
    },
  ],
];

test.each(STORES)('%s: a version, the next one, and one that is no longer there', async (_what, store) => {
  const [url, put] = store();
  const { it, at } = archive(url, { folder: 'infra' });
  expect(await causeOf(it.head())).toBe('there is no such object');
  const first = await packed(['infra/index.ts', 'one'], ['infra/run.sh', '-> index.ts']);
  await put(first);
  const head = await it.head();
  expect(head).toEqual({ commit: digest(first), tree: digest(first) });
  const checkout = await it.checkOut(head.commit);
  expect(checkout.commit).toBe(head.commit);
  expect(readFileSync(path.join(checkout.folder, 'run.sh'), 'utf8')).toBe('one');
  // What a run has left is gone at the next one.
  writeFileSync(path.join(checkout.folder, 'left.txt'), '');
  const fetched = fetches();
  expect(fetched > 0).toBe(url.startsWith('s3:'));
  await it.checkOut((await it.head()).commit);
  expect(existsSync(path.join(checkout.folder, 'left.txt'))).toBe(false);
  // The archive was not fetched again.
  expect(fetches()).toBe(fetched);
  const second = await packed(['infra/index.ts', 'two two']);
  await put(second);
  // The run that has begun continues with its version.
  expect((await it.head()).commit).toBe(digest(second));
  expect(readFileSync(path.join((await it.checkOut(head.commit)).folder, 'index.ts'), 'utf8')).toBe('one');
  expect(readFileSync(path.join((await it.checkOut(digest(second))).folder, 'index.ts'), 'utf8')).toBe(
    'two two',
  );
  expect(readdirSync(at).sort()).toEqual([`${digest(second)}.archive`, 'known.json', 'program']);
  expect(await causeOf(it.checkOut(head.commit))).toBe(
    `it is no longer the version ${head.commit.slice(0, 8)}`,
  );
  expect(await causeOf(archive(url, { folder: 'other' }).it.checkOut(digest(second)))).toBe(
    'it has no folder other',
  );
});

test.each([
  ['a link that leads out', [['infra/link', '-> ../../etc']], 'its link "infra/link" points outside'],
  ['an absolute link', [['link', '-> /etc/passwd']], 'its link "link" points outside'],
  ['a member outside', [['../outside', 'x']], 'its member "../outside" lies outside'],
  ['an absolute member', [['C:/outside', 'x']], 'its member "C:/outside" lies outside'],
  [
    'a member behind a link',
    [
      ['link', '-> .'],
      ['link/file', 'x'],
    ],
    'its member "link/file" lies behind a link',
  ],
  ['too many files', Array.from({ length: 11 }, (_, at) => [`f${at}`, '']), 'it has more than 10 members'],
  ['a bomb', [['bomb', 'x'.repeat(2_000_000)]], 'it unpacks to more than 1000000 bytes'],
] as readonly (readonly [string, readonly (readonly [string, string])[], string])[])(
  '%s is refused, and nothing is left',
  async (_what, members, cause) => {
    const bytes = await packed(...members);
    writeFileSync(file, bytes);
    const { it } = archive(fileUrl, { most: { files: 10, bytes: 1_000_000 } });
    expect(await causeOf(it.checkOut(digest(bytes)))).toBe(`cannot unpack it: ${cause}`);
    expect(existsSync(it.root)).toBe(false);
    expect(existsSync(path.join(folder, 'outside'))).toBe(false);
  },
);

test('a file that is no archive, a store that is not there, and an archive that a program has changed', async () => {
  const text = Buffer.from('no archive');
  writeFileSync(file, text);
  expect(await causeOf(archive(fileUrl).it.checkOut(digest(text)))).toContain('neither a gzipped tar nor');
  expect(await causeOf(archive('file:///not/there/program.tar.gz').it.head())).toContain(
    'there is no directory',
  );
  const other = server.bucketUrl('other').replace('?', '/program.zip?');
  expect(await causeOf(archive(other).it.head())).toMatch(/bucket/i);
  const bytes = await packed(['index.ts', 'one']);
  writeFileSync(file, bytes);
  const { it, at } = archive(fileUrl, { most: SOURCE_LIMITS });
  const { commit } = await it.head();
  writeFileSync(path.join(at, `${commit}.archive`), await packed(['index.ts', 'planted']));
  expect(readFileSync(path.join((await it.checkOut(commit)).folder, 'index.ts'), 'utf8')).toBe('one');
});

test.each([
  ['s3://programs/shop/program.tar.gz', false, undefined],
  ['s3://programs/program.tgz?region=eu-west-1', false, undefined],
  ['gs://programs/program.zip', false, undefined],
  ['azblob://programs/a/program.zip', false, undefined],
  ['file:///srv/program.tar.gz', true, undefined],
  ['file:///srv/program.tar.gz', false, 'is a file of this machine: write local: true for it'],
  ['file://srv/program.tar.gz', true, 'must be an absolute path'],
  [
    's3://b/p.tgz?endpoint=http://169.254.169.254&profile=root',
    false,
    'has parameters (endpoint, profile): write local: true for them',
  ],
  ['s3://b/p.tgz?endpoint=http://10.0.0.1', true, undefined],
  ['s3://key:secret@b/p.tgz', false, 'has credentials: the agent has those of its user'],
  ['s3://b/../p.tgz', false, 'must have no part ".." or "."'],
  ['s3://b/program.tar', false, 'must name a .tar.gz, .tgz or .zip file'],
  ['s3://b/%2e%2e%2fp.tgz', false, 'must name a .tar.gz, .tgz or .zip file'],
  ['s3://b/a b.tgz', false, 'has white space, control characters, "\\" or "#"'],
  ['s3://p.tgz', false, 'must name a .tar.gz, .tgz or .zip file'],
  [
    'https://b/p.tgz',
    false,
    'must be an address with file://, s3://, gs:// or azblob://, not "https://b/p.tgz"',
  ],
] as const)('the address %s, local %s: %s', (url, isLocal, problem) => {
  expect(archiveProblem(url, isLocal)).toBe(problem);
});
