import type { Socket } from 'node:net';
import process from 'node:process';
import { mayBeTrusted, ownerOfPeer } from './peer-owner.js';
import type { Owner } from './peer-owner.js';
import { readdir, readFile, readlink } from 'node:fs/promises';

/** Decides about a connection before any byte of it is read. Resolves with the reason of a refusal; never rejects. */
export type PeerGuard = (socket: Socket) => Promise<string | undefined>;

/** Options of {@link sameUserGuard}. */
export interface GuardOptions {
  /**
   * Decides whether to accept a peer whose user is not known, as on systems other than Linux. By default it is
   * accepted.
   */
  readonly takesUnknown?: (() => boolean) | undefined;
  /** Called with the first refused connection of each user. Must not throw. */
  readonly onRefused?: ((why: string) => void) | undefined;
}

/**
 * Accepts only connections of the same user's processes and of root's: any user of the machine can connect to a
 * loopback port. Queries the system once per connection.
 */
export function sameUserGuard(options: GuardOptions = {}): PeerGuard {
  const told = new Set<number | undefined>();
  const takesUnknown = options.takesUnknown ?? (() => true);
  return async (socket) => {
    const ours = process.geteuid?.() ?? -1;
    const owner = await peerOf(socket);
    if (owner.t === 'unknowable' && takesUnknown()) return undefined;
    if (owner.t === 'user' && mayBeTrusted(owner.uid, ours)) return undefined;
    const who = await describePeer(owner);
    const uid = owner.t === 'user' ? owner.uid : undefined;
    if (!told.has(uid)) options.onRefused?.(who);
    told.add(uid);
    return who;
  };
}

async function peerOf(socket: Socket): Promise<Owner> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remotePort === undefined || localPort === undefined) return { t: 'missing' };
  return ownerOfPeer({
    remoteAddress: withoutMapping(remoteAddress),
    remotePort,
    localAddress: withoutMapping(localAddress),
    localPort,
  });
}

const withoutMapping = (address: string | undefined): string => (address ?? '').replace(/^::ffff:/, '');

/** Describes a peer for a warning: its user, and its process if that is visible. Never rejects. */
async function describePeer(owner: Owner): Promise<string> {
  if (owner.t !== 'user') return 'a process of an unknown user';
  const [name, holder] = await Promise.all([userName(owner.uid), holderOf(owner.inode)]);
  const user = name === undefined ? `user ${owner.uid}` : `user ${name} (uid ${owner.uid})`;
  return holder === undefined ? `a process of ${user}` : `process ${holder} of ${user}`;
}

async function userName(uid: number): Promise<string | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = users.split('\n').map((line) => line.split(':'));
  return fields.find(([, , id]) => id === String(uid))?.[0];
}

/** Returns the process that holds a socket, or undefined if there is none, or only root may see it. */
async function holderOf(inode: number): Promise<string | undefined> {
  const names = await readdir('/proc').catch(() => []);
  for (const pid of names) {
    if (/^\d+$/.test(pid) && (await holds(pid, inode))) return pid;
  }
  return undefined;
}

async function holds(pid: string, inode: number): Promise<boolean> {
  const directory = `/proc/${pid}/fd`;
  const descriptors = await readdir(directory).catch(() => []);
  const targets = await Promise.all(
    descriptors.map((name) => readlink(`${directory}/${name}`).catch(() => '')),
  );
  return targets.includes(`socket:[${inode}]`);
}
