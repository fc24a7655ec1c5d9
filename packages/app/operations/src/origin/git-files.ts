import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Env } from '@cairn/workspace';

/** A checkout, according to its files. */
export interface Checkout {
  /** Top folder of the checkout. */
  readonly root: string;
  /** Commit at `HEAD`. */
  readonly head: string;
  /** Full name of the branch, such as `refs/heads/main`; `undefined` when `HEAD` names a commit. */
  readonly branch: string | undefined;
  /** Address of the remote `origin`. */
  readonly origin: string | undefined;
  /** Text of the commit object; `undefined` when it is in a pack. */
  readonly commit: string | undefined;
}

/** Contents of a commit. */
export interface CommitText {
  readonly author: Person;
  readonly committer: Person;
  /** First line of its message. */
  readonly title: string;
}

interface Person {
  readonly name: string;
  readonly email: string;
}

/**
 * Reads the checkout around the folder from git's files, without running git. Returns `undefined` outside of one and
 * before its first commit. Looks no higher than the folders of `GIT_CEILING_DIRECTORIES`, as git does. A repository
 * that keeps its refs in another format counts as none.
 */
export function readCheckout(directory: string, env: Env): Checkout | undefined {
  try {
    const root = rootAbove(directory, ceilings(env));
    return root === undefined ? undefined : checkoutAt(root);
  } catch {
    // Someone else's files: unreadable ones are treated as unknown.
    return undefined;
  }
}

/** Reads the text of a commit object: its head ends with an empty line. */
export function readCommit(text: string): CommitText | undefined {
  const author = person(/^author (.*)$/m.exec(text)?.[1]);
  const committer = person(/^committer (.*)$/m.exec(text)?.[1]);
  const [, ...message] = text.split('\n\n');
  const title =
    message
      .join('\n')
      .trim()
      .split(/[\r\n]/, 1)[0] ?? '';
  return author && committer && { author, committer, title };
}

function person(line = ''): Person | undefined {
  const [, name, email] = /^(.*?) ?<([^<>]*)> \d+ [+-]\d{4}$/.exec(line) ?? [];
  return name === undefined || email === undefined ? undefined : { name, email };
}

const ceilings = (env: Env): readonly string[] =>
  (env['GIT_CEILING_DIRECTORIES'] ?? '').split(path.delimiter);

function rootAbove(directory: string, limits: readonly string[]): string | undefined {
  for (let at = path.resolve(directory); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
    const above = path.dirname(at);
    if (above === at || limits.includes(above)) return undefined;
  }
}

function checkoutAt(root: string): Checkout | undefined {
  const own = gitFolder(root);
  const common = commonFolder(own);
  const text = line(path.join(own, 'HEAD'));
  const branch = /^ref: (refs\/\S+)$/.exec(text)?.[1];
  const head = branch === undefined ? text : commitOf(branch, own, common);
  if (head === undefined || !/^[0-9a-f]{40,64}$/.test(head)) return undefined;
  return { root, head, branch, origin: originOf(common), commit: looseCommit(common, head) };
}

/** Returns the git folder. `.git` is that folder, or in linked checkouts and submodules a file that names it. */
function gitFolder(root: string): string {
  const entry = path.join(root, '.git');
  if (statSync(entry).isDirectory()) return entry;
  return path.resolve(root, line(entry).replace(/^gitdir: /, ''));
}

/** Returns the common folder: refs, objects and settings are those of the first checkout. */
function commonFolder(own: string): string {
  const link = path.join(own, 'commondir');
  return existsSync(link) ? path.resolve(own, line(link)) : own;
}

function commitOf(ref: string, own: string, common: string): string | undefined {
  for (const folder of [own, common]) {
    const file = path.join(folder, ...ref.split('/'));
    if (existsSync(file)) return line(file);
  }
  const packed = path.join(common, 'packed-refs');
  if (!existsSync(packed)) return undefined;
  const found = readFileSync(packed, 'utf8')
    .split('\n')
    .find((each) => each.endsWith(` ${ref}`));
  return found?.split(' ', 1)[0];
}

/** Returns the address of `origin` in the settings of the repository; files that they include are not read. */
function originOf(common: string): string | undefined {
  const file = path.join(common, 'config');
  if (!existsSync(file)) return undefined;
  let inside = false;
  for (const each of readFileSync(file, 'utf8')
    .split('\n')
    .map((text) => text.trim())) {
    if (each.startsWith('[')) inside = /^\[remote "origin"\]/i.test(each);
    const value = inside ? /^url\s*=\s*(.*)$/i.exec(each)?.[1] : undefined;
    if (value !== undefined) return value.replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

function looseCommit(common: string, head: string): string | undefined {
  const file = path.join(common, 'objects', head.slice(0, 2), head.slice(2));
  if (!existsSync(file)) return undefined;
  const text = inflateSync(readFileSync(file), { maxOutputLength: 1 << 20 }).toString('utf8');
  return text.startsWith('commit ') ? text.slice(text.indexOf('\0') + 1) : undefined;
}

const line = (file: string): string => readFileSync(file, 'utf8').trim();
