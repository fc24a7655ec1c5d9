import { listenerIn, mayBeTrusted, peerIn } from './peer-owner.js';
import { tableNames } from './peer-owner.js';

/** Sample of the tables in which Linux lists the owners of sockets. */

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';

function row(local: string, remote: string, state: string, uid: number, inode: number): string {
  return `   7: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 ${inode} 1 0000000000000000 100 0 0 10 0\n`;
}

const [SERVER, SERVER6] = tableNames('127.0.0.1', 0x1f90, 'LE') as [string, string];
const [CLIENT, CLIENT6] = tableNames('127.0.0.1', 0x9a9f, 'LE') as [string, string];
const ends = {
  remoteAddress: '127.0.0.1',
  remotePort: 0x9a9f,
  localAddress: '127.0.0.1',
  localPort: 0x1f90,
};
const ours = row(SERVER, CLIENT, '01', 1000, 11);

test('the tables write addresses in the byte order of the machine', () => {
  expect(tableNames('127.0.0.1', 8080, 'LE')).toEqual([
    '0100007F:1F90',
    '0000000000000000FFFF00000100007F:1F90',
  ]);
  expect(tableNames('127.0.0.1', 80, 'BE')[0]).toBe('7F000001:0050');
});

test.each<[string, string[], unknown]>([
  ['its own end is looked at, not ours', [ours + row(CLIENT, SERVER, '01', 33, 12)], { uid: 33, inode: 12 }],
  ['an IPv6 socket', [ours, row(CLIENT6, SERVER6, '01', 33, 12)], { uid: 33, inode: 12 }],
  ['it has said all it wants to say', [row(CLIENT, SERVER, '04', 33, 12)], { uid: 33, inode: 12 }],
  [
    'an end that no process holds is nobody’s, though the table says root',
    [row(CLIENT, SERVER, '05', 0, 0)],
    {},
  ],
  ['a connection to another port', [row(CLIENT, CLIENT, '01', 1000, 12)], {}],
  ['no tables', ['', ''], {}],
  ['lines that are none', [HEAD + '\n  x\n 1: a b c\n'], {}],
])('the peer of a connection: %s', (_title, tables, expected) => {
  const found = peerIn(
    tables.map((table) => HEAD + table),
    ends,
    'LE',
  );
  expect(found).toMatchObject({
    t: 'uid' in (expected as object) ? 'user' : 'missing',
    ...(expected as object),
  });
});

const NOBODY = '00000000:0000';
const at = { ipv4: '127.0.0.1', port: 0x1f90, uid: 1000 };
test.each<[string, string[], number | undefined]>([
  ['one', [row(SERVER, NOBODY, '0A', 1000, 5)], 1000],
  ['at all addresses', [row('00000000:1F90', NOBODY, '0A', 33, 5)], 33],
  ['at all addresses of IPv6', ['', row(`${'0'.repeat(32)}:1F90`, NOBODY, '0A', 33, 5)], 33],
  [
    'the other user’s counts where there are two',
    [row(SERVER, NOBODY, '0A', 1000, 5), row(`${'0'.repeat(32)}:1F90`, NOBODY, '0A', 33, 6)],
    33,
  ],
  ['a connection is no listener', [row(SERVER, CLIENT, '01', 33, 5)], undefined],
  ['another port', [row(CLIENT, NOBODY, '0A', 33, 5)], undefined],
])('the listener at a port: %s', (_title, tables, uid) => {
  expect(listenerIn(tables, at, 'LE')).toMatchObject(
    uid === undefined ? { t: 'missing' } : { t: 'user', uid },
  );
});

test('our user and root are trusted', () => {
  expect([mayBeTrusted(1000, 1000), mayBeTrusted(0, 1000), mayBeTrusted(33, 1000)]).toEqual([
    true,
    true,
    false,
  ]);
});
