import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import process from 'node:process';

/**
 * Owner of a socket. `unknowable`: this system cannot report owners. `missing`: it can, but no process holds such a
 * socket.
 */
export type Owner =
  | { readonly t: 'user'; readonly uid: number; readonly inode: number }
  | { readonly t: 'missing' }
  | { readonly t: 'unknowable' };

/** Both ends of an accepted IPv4 connection. */
interface ConnectionEnds {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const ANYWHERE = '0.0.0.0';
const ANYWHERE_IPV6 = '0'.repeat(32);
/** Number of attempts: a table that changes while it is read can lack a row. */
const READINGS = 3;

/** Tells if the owners of sockets can be found, which is on Linux. */
const ownersAreKnown = (platform: NodeJS.Platform = process.platform): boolean => platform === 'linux';

/** Finds the owner of the other end of a connection that was accepted from this machine. Never rejects. */
export async function ownerOfPeer(ends: ConnectionEnds): Promise<Owner> {
  if (!ownersAreKnown()) return { t: 'unknowable' };
  for (let reading = 0; reading < READINGS; reading++) {
    const tables = await Promise.all(TABLES.map((path) => readFile(path, 'latin1').catch(() => '')));
    const owner = peerIn(tables, ends, endianness());
    if (owner.t === 'user') return owner;
  }
  return { t: 'missing' };
}

/** {@link ownerOfPeer} for tables that were read already. */
export function peerIn(tables: readonly string[], ends: ConnectionEnds, endian: 'LE' | 'BE'): Owner {
  const local = tableNames(ends.remoteAddress, ends.remotePort, endian);
  const remote = tableNames(ends.localAddress, ends.localPort, endian);
  return firstOf(tables, (row) => local.includes(row.local) && remote.includes(row.remote));
}

/**
 * Finds a listener that may answer at this loopback port. Prefers one that belongs neither to `uid` nor to root,
 * because any process can take the port of an ended plugin. Never throws.
 */
export function ownerOfListener(ipv4: string, port: number, uid: number): Owner {
  if (!ownersAreKnown()) return { t: 'unknowable' };
  return listenerIn(TABLES.map(readTable), { ipv4, port, uid }, endianness());
}

/** {@link ownerOfListener} for tables that were read already. */
export function listenerIn(
  tables: readonly string[],
  at: { readonly ipv4: string; readonly port: number; readonly uid: number },
  endian: 'LE' | 'BE',
): Owner {
  const names = [at.ipv4, ANYWHERE].flatMap((address) => tableNames(address, at.port, endian));
  names.push(`${ANYWHERE_IPV6}:${names[0]?.slice(-4)}`);
  const here = (row: SocketRow): boolean => row.listens && names.includes(row.local);
  const foreign = firstOf(tables, (row) => here(row) && !mayBeTrusted(row.uid, at.uid));
  return foreign.t === 'user' ? foreign : firstOf(tables, here);
}

/** Trusts the own user, and root, which can inspect every process anyway. */
export function mayBeTrusted(uid: number, ours: number): boolean {
  return uid === ours || uid === 0;
}

function firstOf(tables: readonly string[], fits: (row: SocketRow) => boolean): Owner {
  for (const table of tables) {
    for (const row of socketRows(table)) {
      if (row.inode !== 0 && fits(row)) return { t: 'user', uid: row.uid, inode: row.inode };
    }
  }
  return { t: 'missing' };
}

function readTable(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** One socket of the Linux tables `/proc/net/tcp` and `/proc/net/tcp6`. */
interface SocketRow {
  /** Address and port in the form of the table: hexadecimal, in the machine's byte order. */
  readonly local: string;
  readonly remote: string;
  readonly listens: boolean;
  /** User who created the socket. */
  readonly uid: number;
  /** 0 if no process holds the socket; `uid` has no meaning then. */
  readonly inode: number;
}

const LISTEN = '0A';
const MAPPED = { LE: '0000000000000000FFFF0000', BE: '00000000000000000000FFFF' };

/** Yields the rows of one table. Lines that are not rows are skipped. */
function* socketRows(table: string): Generator<SocketRow> {
  for (const line of table.split('\n')) {
    const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (inode === undefined || !local?.includes(':') || remote === undefined) continue;
    yield { local, remote, listens: state === LISTEN, uid: Number(uid), inode: Number(inode) };
  }
}

/** Returns the names of an IPv4 address with a port in the tables: plain, and mapped into IPv6. */
export function tableNames(ipv4: string, port: number, endian: 'LE' | 'BE'): readonly string[] {
  const bytes = ipv4.split('.').map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'));
  const address = (endian === 'LE' ? bytes.reverse() : bytes).join('');
  const tail = port.toString(16).toUpperCase().padStart(4, '0');
  return [`${address}:${tail}`, `${MAPPED[endian]}${address}:${tail}`];
}
