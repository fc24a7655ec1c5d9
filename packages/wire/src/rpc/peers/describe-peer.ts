import { readFile, readdir, readlink } from 'node:fs/promises';
import type { Owner } from './peer-owner.js';

/** Names a peer for a warning: its user, and its process where we may see that. Never rejects. */
export async function describePeer(owner: Owner): Promise<string> {
  if (owner.t !== 'user') return 'a process whose user cannot be told';
  const [name, holder] = await Promise.all([userName(owner.uid), holderOf(owner.inode)]);
  const user = name === undefined ? `user ${owner.uid}` : `user ${name} (uid ${owner.uid})`;
  return holder === undefined ? `a process of ${user}` : `process ${holder} of ${user}`;
}

async function userName(uid: number): Promise<string | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = users.split('\n').map((line) => line.split(':'));
  return fields.find(([, , id]) => id === String(uid))?.[0];
}

/** The process that holds a socket; undefined where there is none, or only root may look. */
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
