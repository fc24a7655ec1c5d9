/** One socket of Linux' tables `/proc/net/tcp` and `/proc/net/tcp6`. */
export interface SocketRow {
  /** Address and port, as the table writes them: hexadecimal, in the machine's byte order. */
  readonly local: string;
  readonly remote: string;
  readonly listens: boolean;
  /** User who made the socket. */
  readonly uid: number;
  /** 0: no process holds it any more, and then `uid` says nothing. */
  readonly inode: number;
}

const LISTEN = '0A';
const MAPPED = { LE: '0000000000000000FFFF0000', BE: '00000000000000000000FFFF' };

/** The rows of one table; lines that are none are left out. */
export function* socketRows(table: string): Generator<SocketRow> {
  for (const line of table.split('\n')) {
    const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (inode === undefined || !local?.includes(':') || remote === undefined) continue;
    yield { local, remote, listens: state === LISTEN, uid: Number(uid), inode: Number(inode) };
  }
}

/** How the tables write an IPv4 address with a port: by itself, and mapped into IPv6. */
export function tableNames(ipv4: string, port: number, endian: 'LE' | 'BE'): readonly string[] {
  const bytes = ipv4.split('.').map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'));
  const address = (endian === 'LE' ? bytes.reverse() : bytes).join('');
  const tail = port.toString(16).toUpperCase().padStart(4, '0');
  return [`${address}:${tail}`, `${MAPPED[endian]}${address}:${tail}`];
}
