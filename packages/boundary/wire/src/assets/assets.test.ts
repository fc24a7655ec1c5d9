import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { Archive, Asset, OutputValue, Secret, isKind, propertyMap } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import fc from 'fast-check';
import { pack } from 'tar-stream';
import { Semaphore } from './gate.js';
import { withOwnHashes } from './hash.js';
import { fileHeader } from './tar-header.js';
import { TarHash } from './tar-hash.js';
import { needsHashes, withHashes } from './with-hashes.js';

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const hashOf = async (value: Asset | Archive, baseDirectory: string): Promise<string | undefined> =>
  (await withOwnHashes(value, baseDirectory)).hash;
const text = (content: string): Asset => new Asset({ text: content });
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const NO_MEMBERS = '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef';

let base: string;
let server: Server;
let address: string;
const requests: string[] = [];

beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'cairn-assets-'));
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (request.url?.startsWith('/members.zip')) response.end(zip({ 'x.txt': 'x' }));
    else if (request.url?.startsWith('/hello')) response.end('hello world');
    else if (request.url === '/locked' && request.headers.authorization === `Basic ${btoa('me:p@ss')}`)
      response.end('unlocked');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  await rm(base, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const directory = await mkdtemp(path.join(base, 'd-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
    await writeFile(path.join(directory, name), content);
  }
  return directory;
}

/** Builds a zip file. Members of more than ten bytes are deflated. */
function zip(
  files: Readonly<Record<string, string>>,
  damage: {
    readonly crc?: boolean;
    readonly size?: number;
    readonly flags?: number;
    readonly method?: number;
  } = {},
): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content);
    const method = plain.length > 10 ? 8 : 0;
    const packed = method === 8 ? deflateRawSync(plain) : plain;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(damage.flags ?? 0, 2);
    common.writeUInt16LE(damage.method ?? method, 4);
    common.writeUInt32LE(damage.crc === true ? 1 : crc32(plain), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(damage.size ?? plain.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    parts.push(Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed);
    list.push(Buffer.from('PK\x01\x02\x14\x00'), common, tail, Buffer.from(name));
    at += 30 + Buffer.byteLength(name) + packed.length;
  }
  const contents = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(contents.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, contents, Buffer.from('PK\x05\x06'), end]);
}

async function tar(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const stream = pack();
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('/')) stream.entry({ name, type: 'directory' });
    else stream.entry({ name }, content);
  }
  stream.finalize();
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

describe('the tar stream [VAL-6]', () => {
  const long = `${'d'.repeat(60)}/${'e'.repeat(90)}`;

  test.each<[string, readonly (readonly [string, string])[], string]>([
    ['one file', [['x.txt', 'x']], '9fde4333f4c944f8a55906d19741b02ee24e1a66f7e5dd847618131e8771963a'],
    [
      'two, one empty',
      [
        ['a/b.txt', 'hello'],
        ['c', ''],
      ],
      '935fdd703331864f0a60f3263ddff812ab0c890cc914f1fb227ae4e7fbdf943f',
    ],
    ['split name', [[long, 'q']], '9fc849c1185c7ba482412870fe4ec966e4366f78d11abb5ec68171ebf165c392'],
    ['not ASCII', [['ü.txt', 'q']], '56b370935ab8422698716369e0170890aa20d3694021f133155575ef00403c5a'],
    [
      'too long to split',
      [['f'.repeat(120), 'q']],
      '1e540d341896a24da22878f0f396727c00ec13453b09ce7a0fc852a0f8cb2f44',
    ],
    ['no members', [], NO_MEMBERS],
    [
      'not ASCII, in a directory',
      [['ü/ä.txt', 'q']],
      'e7394aeb235e37f29fdbc3d23e27fb979fd0aef7bc71914a0953d61829ecc551',
    ],
    [
      'long, in a directory',
      [[`dir/${'f'.repeat(120)}`, 'q']],
      '700e176ee4ba39ea32bab27f28d30c216dfe17854822a676ded6fc01f92afefe',
    ],
    [
      'prefix one too long',
      [[`${'d'.repeat(156)}/${'e'.repeat(20)}`, 'q']],
      'c6b6a6abd10fbd167e4bf6f4f0172e78a33a259e2f2981fb283468966da2a089',
    ],
    [
      'both parts full',
      [[`${'d'.repeat(155)}/${'e'.repeat(100)}`, 'q']],
      '55c2b2e6dbda7c9d28cfa1d56716156d6e44edbf343fb11069b1fa0260027300',
    ],
    [
      'rest one too long',
      [[`${'d'.repeat(50)}/${'e'.repeat(49)}/${'g'.repeat(101)}`, 'q']],
      'b9717bdb245a6129214dc9755354ea8f0a47feb5e8f5c2e60ed9156ae82ec89c',
    ],
    [
      'long, not ASCII',
      [[`${'é'.repeat(80)}/${'e'.repeat(80)}`, 'q']],
      '9843d80e714b4a1dbc2639fb09d25229d77667d9a1a7e030d09a7bf576953d8b',
    ],
    [
      'cut at a slash, not ASCII',
      [[`日本/${'a'.repeat(98)}/${'b'.repeat(101)}`, 'q']],
      '4ce7fe4f526011a17300915ee75e66c03491df315fa24d22a11c3ea53b72741d',
    ],
    [
      'cut at a slash',
      [[`${'a'.repeat(99)}/${'b'.repeat(120)}`, 'q']],
      '1db606afa0740dc37df54912731d706f007c9db48b8db415e139b0d0aae89a2a',
    ],
    [
      'many slashes',
      [[`${'a/'.repeat(50)}${'b'.repeat(120)}`, 'q']],
      'b636e72a612aae9d396720c5828a00a3c0e543c57c750ecbc0e0df7e93b8fe2b',
    ],
    [
      'nothing ASCII, empty',
      [['日', '']],
      'ca312fa19d58d029c7709c557371c5efc2f20093127c726f95d020ea3d67f45b',
    ],
    [
      'around a block',
      [
        ['s.txt', 'z'.repeat(511)],
        ['t.txt', 'z'.repeat(512)],
        ['u.txt', 'z'.repeat(513)],
      ],
      '013e4e90adcc97bf91c7ebdcdd8586cc2b9a9b36813c2455c0574fab2760d78b',
    ],
    ['a text', [['foo', 'a test asset']], '27ab4a14a617df10cff3e1cf4e30cf510302afe56bf4cc91f84041c9f7b62fd8'],
    ['an empty text', [['foo', '']], 'd2587a875f82cdf3d3e6cfe9f8c6e6032be5dde8c344466e664e628da15757b0'],
    [
      'LT2-143',
      [['file.txt', 'hello world']],
      'f19bab27a7f9d59cff97df356effce0047fefb13c8265e04d0874c0f09df4a16',
    ],
  ])('%s', async (_title, members, expected) => {
    const assets = Object.fromEntries(members.map(([name, content]) => [name, text(content)]));
    expect(await hashOf(new Archive({ assets }), base)).toBe(expected);
  });

  test.each([
    ['big', '0e2513b185ddc4225c74a8e9063fdbea77b79e2f2e449358b784cbee5043013f'],
    [long, '5eaee86eb83263b71ad98da69a0872d13c7620ca0c3ea54d77eb85978db46b37'],
  ])('a file of 8 GiB has its size in an extended header: %s', (name, expected) => {
    expect(sha256(fileHeader(name, 2 ** 33))).toBe(expected);
  });

  test('headers are whole blocks, and a name is in its header as it is or in a record', () => {
    const anyName = fc.string({ unit: fc.constantFrom('a', '/', 'ü', '.', 'long'.repeat(20)), minLength: 1 });
    const names = anyName.filter((name) => !name.endsWith('/'));
    fc.assert(
      fc.property(names, fc.nat(), (name, size) => {
        const bytes = fileHeader(name, size);
        expect(bytes.length % 512).toBe(0);
        const field = (at: number, length: number) =>
          bytes.toString('latin1', at, at + length).replace(/\0.*$/s, '');
        const prefix = field(345, 155);
        if (bytes.length === 512) expect(`${prefix}${prefix && '/'}${field(0, 100)}`).toBe(name);
        else {
          const length = Number.parseInt(field(512, 8), 10);
          expect(bytes.toString('utf8', 512, 512 + length)).toBe(`${length} path=${name}\n`);
        }
      }),
    );
  });

  test.each(['', 'a/', 'a\0b'])('%j is no name of a member', (name) => {
    expect(() => new TarHash().begin(name, 0)).toThrow(/cannot be the name of a file/);
  });
});

describe('assets [VAL-6]', () => {
  test.each<[string, () => Promise<Asset>, string]>([
    ['empty text', async () => text(''), EMPTY],
    ['no source at all', async () => new Asset({}), EMPTY],
    ['text as UTF-8', async () => text('ü'), sha256('ü')],
    [
      'LT2-143 text',
      async () => text('hello world'),
      'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
    ],
    ['absolute path', async () => new Asset({ path: path.join(await write({ a: 'x' }), 'a') }), sha256('x')],
    [
      'file URI',
      async () => new Asset({ uri: pathToFileURL(path.join(await write({ 'a b': 'x' }), 'a b')).href }),
      sha256('x'),
    ],
    [
      'file URI of localhost',
      async () =>
        new Asset({
          uri: pathToFileURL(path.join(await write({ a: 'x' }), 'a')).href.replace(
            'file://',
            'file://localhost',
          ),
        }),
      sha256('x'),
    ],
    ['http URI', async () => new Asset({ uri: `${address}/hello?key=s3cret` }), sha256('hello world')],
    [
      'a path goes before a text',
      async () => new Asset({ path: path.join(await write({ a: 'x' }), 'a'), text: 'y' }),
      sha256('x'),
    ],
  ])('%s', async (_title, asset, expected) => {
    expect(await hashOf(await asset(), base)).toBe(expected);
  });

  test('a relative path counts from the base directory, and a file is read in pieces', async () => {
    const content = Buffer.alloc(700_001, 'abc');
    const directory = await write({ 'sub/big': content });
    expect(await hashOf(new Asset({ path: './sub/big' }), directory)).toBe(sha256(content));
  });

  test.each<[string, Asset, RegExp]>([
    [
      'nothing there',
      new Asset({ path: 'nowhere.txt' }),
      /^cannot read file "nowhere.txt": there is no such file$/,
    ],
    ['a directory', new Asset({ path: '.' }), /^cannot read file ".": it is a directory$/],
    ['a directory by URI', new Asset({ uri: 'file:///' }), /it is a directory/],
    ['another host', new Asset({ uri: 'file://elsewhere/a' }), /on another host, elsewhere/],
    ['another scheme', new Asset({ uri: 'ftp://elsewhere/a' }), /the scheme ftp: is not http:/],
    ['no URI', new Asset({ uri: 'a b' }), /cannot read the URI: this is not a URI/],
  ])('refused: %s', async (_title, asset, expected) => {
    await expect(hashOf(asset, base)).rejects.toThrow(expected);
  });

  test('a server that refuses is named without user, password and query', async () => {
    const uri = `${address.replace('//', '//me:p%40ss@')}/missing?key=s3cret`;
    const refused = hashOf(new Asset({ uri }), base);
    await expect(refused).rejects.toThrow(
      new RegExp(`^cannot read "${address}/missing": the server answered 404$`),
    );
  });

  test('user and password of a URI are sent', async () => {
    const uri = `${address.replace('//', '//me:p%40ss@')}/locked`;
    expect(await hashOf(new Asset({ uri }), base)).toBe(sha256('unlocked'));
  });
});

describe('archives [VAL-6]', () => {
  const raw = Buffer.from('any bytes');
  test.each(['a.tar', 'a.tgz', 'a.tar.gz', 'a.zip', 'a.jar'])('%s is hashed as it is', async (name) => {
    const directory = await write({ [name]: raw });
    expect(await hashOf(new Archive({ path: name }), directory)).toBe(sha256(raw));
    const uri = pathToFileURL(path.join(directory, name)).href;
    expect(await hashOf(new Archive({ uri }), directory)).toBe(sha256(raw));
  });

  const same = async (archive: Archive, members: Readonly<Record<string, string>>, directory = base) => {
    const tarHash = new TarHash();
    for (const [name, content] of Object.entries(members)) {
      tarHash.begin(name, Buffer.byteLength(content));
      tarHash.add(Buffer.from(content));
      tarHash.end();
    }
    expect(await hashOf(archive, directory)).toBe(tarHash.digest());
  };

  test('members in the order of the bytes of their names', () =>
    same(new Archive({ assets: { '\u{1f600}': text('2'), '\uffee': text('1'), B: text('0') } }), {
      B: '0',
      '\uffee': '1',
      '\u{1f600}': '2',
    }));

  test('a directory: each level in order, .pulumi left out, links to files followed', async () => {
    const directory = await write({
      'site/b.txt': 'b',
      'site/a/z.txt': 'z',
      'site/a.txt': 'a',
      'site/.pulumi/x': '-',
      'site/a/.pulumi': '-',
      'site/.hidden': 'h',
      'other/f': 'f',
    });
    await symlink('../other/f', path.join(directory, 'site', 'link'));
    await symlink('../other', path.join(directory, 'site', 'linked-directory'));
    const members = { '.hidden': 'h', 'a/z.txt': 'z', 'a.txt': 'a', 'b.txt': 'b', link: 'f' };
    await same(new Archive({ path: 'site' }), members, directory);
    await same(
      new Archive({ assets: { 'in//it': new Archive({ path: './site' }) } }),
      Object.fromEntries(Object.entries(members).map(([name, content]) => [`in/it/${name}`, content])),
      directory,
    );
  });

  test('a nested archive is expanded where its name stands; the first of a name wins', () =>
    same(
      new Archive({
        assets: {
          a: new Archive({ assets: { 'b/c': text('1'), '../x': text('2') } }),
          'a/b': new Archive({ assets: { c: text('late') } }),
          'a/b/c': text('later'),
        },
      }),
      { x: '2', 'a/b/c': '1' },
    ));

  test('packed archives in another are unpacked', async () => {
    const files = { './x.txt': 'x', 'd/y.txt': 'y'.repeat(5000) };
    const directory = await write({
      'p.zip': zip({ 'd/': '', ...files }),
      'p.tar': await tar({ 'd/': '', ...files }),
      'p.tar.gz': gzipSync(await tar(files)),
    });
    for (const file of ['p.zip', 'p.tar', 'p.tar.gz']) {
      const archive = new Archive({ assets: { in: new Archive({ path: file }) } });
      await same(archive, { 'in/x.txt': 'x', 'in/d/y.txt': 'y'.repeat(5000) }, directory);
    }
    await same(new Archive({ assets: { in: new Archive({ uri: `${address}/members.zip?v=1` }) } }), {
      'in/x.txt': 'x',
    });
  });

  test.each<[string, Record<string, string | Buffer>, Archive, RegExp]>([
    ['nothing there', {}, new Archive({ path: 'nowhere' }), /file "nowhere": there is no such file/],
    ['a plain file', { a: 'x' }, new Archive({ path: 'a' }), /neither a directory nor a .tar/],
    ['a URI of anything else', {}, new Archive({ uri: 'http://127.0.0.1:1/a' }), /neither a directory nor/],
    [
      'a directory with a packed name',
      { 'a.zip/x': 'x' },
      new Archive({ path: 'a.zip' }),
      /it is a directory/,
    ],
    ['no zip file', { 'a.zip': 'x' }, nested('a.zip'), /file "a.zip": it is not a zip file/],
    ['no gzip file', { 'a.tgz': 'x' }, nested('a.tgz'), /file "a.tgz": it cannot be unpacked/],
    [
      'a damaged member',
      { 'a.zip': zip({ m: 'x' }, { crc: true }) },
      nested('a.zip'),
      /its member "m" is damaged/,
    ],
    [
      'a stored member of another size',
      { 'a.zip': zip({ m: 'x' }, { size: 2 }) },
      nested('a.zip'),
      /its member "m" is damaged/,
    ],
    [
      'a packed member of another size',
      { 'a.zip': zip({ m: 'x'.repeat(99) }, { size: 98 }) },
      nested('a.zip'),
      /its member "m" is damaged/,
    ],
    [
      'an encrypted member',
      { 'a.zip': zip({ m: 'x' }, { flags: 1 }) },
      nested('a.zip'),
      /its member "m" is encrypted/,
    ],
    [
      'a member that is packed in another way',
      { 'a.zip': zip({ m: 'x' }, { method: 14 }) },
      nested('a.zip'),
      /its member "m" is packed with method 14/,
    ],
    [
      'a cut zip file',
      { 'a.zip': zip({ m: 'x'.repeat(99) }).subarray(20) },
      nested('a.zip'),
      /damaged zip|too early/,
    ],
    [
      'contents that are not here',
      {},
      new Archive({ assets: { a: new Asset({ hash: sha256('x') }) } }),
      /only its hash is known/,
    ],
    [
      'an archive that is not here',
      {},
      new Archive({ assets: { a: new Archive({ hash: sha256('x') }) } }),
      /only its hash is known/,
    ],
  ])('refused: %s', async (_title, files, archive, expected) => {
    await expect(hashOf(archive, await write(files))).rejects.toThrow(expected);
  });

  function nested(file: string): Archive {
    return new Archive({ assets: { in: new Archive({ path: file }) } });
  }
});

test('a gate lets as many in as it is wide, in order, also after a failure', async () => {
  const gate = new Semaphore(2);
  const trace: string[] = [];
  let inside = 0;
  const works = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    gate.run(async () => {
      trace.push(`${name}${++inside}`);
      await new Promise(setImmediate);
      inside--;
      if (name === 'a') throw new Error('a fails');
    }),
  );
  const ends = await Promise.allSettled(works);
  expect(ends.map(({ status }) => status === 'rejected')).toEqual([true, false, false, false, false]);
  expect(trace.map((entry) => entry[0]).join('')).toBe('abcde');
  expect(Math.max(...trace.map((entry) => Number(entry[1])))).toBe(2);
});

describe('filling in hashes', () => {
  test('everywhere in a tree, members too; what has a hash stays the same object', async () => {
    const kept = new Asset({ path: 'not read', hash: sha256('k') });
    const map = propertyMap({
      list: [text('a'), kept],
      secret: new Secret(propertyMap({ deep: text('b') })),
      output: new OutputValue(text('c'), true, []),
      archive: new Archive({ assets: { 'file.txt': text('hello world'), sub: new Archive({ assets: {} }) } }),
      other: propertyMap({ n: 1 }),
    });
    const filled = await withHashes(map, base);
    expect(needsHashes(map)).toBe(true);
    expect(needsHashes(filled)).toBe(false);
    expect(filled['other']).toBe(map['other']);
    expect(filled).toMatchObject({
      list: [{ text: 'a', hash: sha256('a') }, kept],
      secret: { value: { deep: { hash: sha256('b') } } },
      output: { value: { hash: sha256('c') }, secret: true },
      archive: {
        hash: 'f19bab27a7f9d59cff97df356effce0047fefb13c8265e04d0874c0f09df4a16',
        assets: { 'file.txt': { hash: sha256('hello world') }, sub: { hash: NO_MEMBERS } },
      },
    });
    expect(isKind(filled['archive'] as PropertyValue, 'archive')).toBe(true);
    expect((filled['list'] as readonly PropertyValue[])[1]).toBe(kept);
  });

  test('the same map when there is nothing to do', async () => {
    const map = propertyMap({ a: [1, new Asset({ hash: 'h' })], b: new Archive({ hash: 'h', path: 'x' }) });
    expect(needsHashes(map)).toBe(false);
    expect(await withHashes(map, '/nowhere')).toBe(map);
  });

  test('a member is read once for its own hash and the archives around it', async () => {
    const before = requests.length;
    const assets = { a: new Archive({ assets: { b: new Asset({ uri: `${address}/hello/once` }) } }) };
    const map = await withHashes(propertyMap({ archive: new Archive({ assets }) }), base);
    expect(requests.slice(before)).toEqual(['/hello/once']);
    expect(needsHashes(map)).toBe(false);
  });

  test('an error names the property and the path; of a secret only the property', async () => {
    const missing = new Asset({ path: 'no/where' });
    await expect(withHashes(propertyMap({ a: [propertyMap({ b: missing })] }), base)).rejects.toThrow(
      'cannot read file "no/where" of property "a[0].b": there is no such file',
    );
    const refused = withHashes(propertyMap({ a: new Secret(missing) }), base);
    await expect(refused).rejects.toThrow('cannot read [secret] of property "a"');
    await expect(refused).rejects.not.toThrow(/where/);
  });

  test('three hundred registrations at a time', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `f${index}`);
    const directory = await write(Object.fromEntries(names.map((name) => [name, name])));
    const maps = await Promise.all(
      names.map((name) => withHashes(propertyMap({ a: new Asset({ path: name }) }), directory)),
    );
    expect(maps.map((map) => (map['a'] as Asset).hash)).toEqual(names.map((name) => sha256(name)));
  });
});
