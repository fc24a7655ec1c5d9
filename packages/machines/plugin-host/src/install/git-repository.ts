import type { SpawnOptions } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { cairnError, fail, isCairnError } from '@cairn/diagnostics';
import { spawnProcess } from '@cairn/processes';
import { withoutOwnSecrets } from '@cairn/values/own-secrets';
import { loginApart } from './git-login.js';

/** Place in a git repository. */
export interface GitAddress {
  /** Argument of `git clone`. */
  readonly url: string;
  /** Branch, tag or commit. Undefined for the default branch. */
  readonly ref: string | undefined;
  /** `tree/REF/FOLDER` or a folder. Only the names of branches and tags distinguish them. */
  readonly path: string;
}

const SCHEMES = ['https:', 'http:', 'ssh:', 'file:', 'git:'];

/** Returns true if a text is the address of a git repository: a URL, or `USER@HOST:PATH`. */
export function isGitAddress(text: string): boolean {
  return (
    /^[\w.-]+@[\w.-]+:(?!\/\/)/.test(text) || (URL.canParse(text) && SCHEMES.includes(new URL(text).protocol))
  );
}

/** Hosts whose repositories are not named OWNER/REPOSITORY, and have no folder after them, with the path for git. */
const OTHERWISE_NAMED: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  'dev.azure.com': (parts) => parts.join('/'),
  'gist.github.com': ([, id = '']) => (id.endsWith('.git') ? id : `${id}.git`),
};

/**
 * Reads an address. `.git`, else the position, separates `OWNER/REPOSITORY` from the rest. `#REF` at the end names a
 * branch, tag or commit. Fails (CAIRN-USAGE) on one that names no repository.
 */
export function readGitAddress(text: string): GitAddress {
  const [address = '', ref] = text.split('#', 2);
  const scp = /^([\w.-]+@[\w.-]+):(?!\/\/)(.*)$/.exec(address);
  const place = scp === null ? address : `ssh://${scp[1]}/${scp[2]}`;
  if (!URL.canParse(place)) return none(text);
  const url = new URL(place);
  const parts = url.pathname.split('/').filter((part) => part !== '');
  if (parts.some((part) => part === '.' || part === '..')) return none(text);
  const user = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : `:${url.password}`}@`;
  const server = `${url.protocol}//${user}${url.host}`;
  const whole = parts.length < 2 ? undefined : OTHERWISE_NAMED[url.hostname]?.(parts);
  if (whole !== undefined) return { url: `${server}/${whole}`, ref: ref || undefined, path: '' };
  const named = parts.findLastIndex((part) => part.endsWith('.git'));
  const tree = parts.indexOf('tree');
  const length =
    named >= 0
      ? named + 1
      : url.protocol === 'file:'
        ? tree > 0
          ? tree
          : parts.length
        : Math.min(2, parts.length);
  if (length < (url.protocol === 'file:' ? 1 : 2) && named < 0) return none(text);
  const repository = parts.slice(0, length).join('/');
  const marked = named >= 0 || url.protocol === 'file:' ? repository : `${repository}.git`;
  return { url: `${server}/${marked}`, ref: ref || undefined, path: parts.slice(length).join('/') };
}

function none(text: string): never {
  return fail('CAIRN-USAGE', `${text} does not name a git repository`, {
    hint: 'Write https://HOST/OWNER/REPOSITORY, with /tree/BRANCH/FOLDER or #BRANCH if it is not the default branch.',
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Gets the files at an address into a directory, which it creates. Resolves with the selected folder inside it. Needs
 * `git` on the PATH. Fails with its message (CAIRN-USAGE).
 */
export async function checkOut(
  address: GitAddress,
  directory: string,
  environment: Environment,
): Promise<{ readonly folder: string }> {
  const { ref, folder } = await placeOf(address, environment);
  await mkdir(directory, { recursive: true });
  const run = (args: readonly string[]): Promise<string> => git(address.url, environment, directory, args);
  if (ref === undefined) {
    await run(['clone', '--quiet', '--depth=1', '--', address.url, '.']);
    return { folder };
  }
  await run(['init', '--quiet']);
  const wanted = await run(['fetch', '--quiet', '--depth=1', '--', address.url, ref]).then(
    () => 'FETCH_HEAD',
    async (error: unknown) => {
      if (!/^[0-9a-f]{4,64}$/i.test(ref)) throw error;
      // Some servers do not serve single commits. The commit is then searched among all.
      const all = '+refs/*:refs/fetched/*';
      await run(['fetch', '--quiet', '--', address.url, all]);
      return ref;
    },
  );
  await run(['checkout', '--quiet', '--detach', wanted]);
  return { folder };
}

const isCommit = (ref: string): boolean => /^[0-9a-f]{40}$/i.test(ref);

async function placeOf(
  { url, ref, path }: GitAddress,
  environment: Environment,
): Promise<{ readonly ref: string | undefined; readonly folder: string }> {
  if (ref?.startsWith('-') === true) return none(ref);
  const [first, second, ...rest] = path.split('/');
  if (ref !== undefined || first !== 'tree' || second === undefined) return { ref, folder: path };
  if (isCommit(second)) return { ref: second, folder: rest.join('/') };
  const inside = [second, ...rest].join('/');
  const refs = await listRefs(url, environment);
  const found = [...refs.keys()]
    .flatMap((ref) => /^refs\/(?:heads|tags)\/([^^]+)$/.exec(ref)?.[1] ?? [])
    .filter((name) => inside === name || inside.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (found === undefined)
    return fail('CAIRN-USAGE', `${url} has no branch or tag ${second}`, { hint: 'Check the address.' });
  return { ref: found, folder: inside.slice(found.length + 1) };
}

/** Returns branches, tags and `HEAD` of a repository by full name, with their commits. */
export async function listRefs(url: string, environment: Environment): Promise<ReadonlyMap<string, string>> {
  const listed = await git(url, environment, '.', ['ls-remote', '--', url]);
  return new Map(
    listed.split('\n').flatMap((line): [string, string][] => {
      const [commit, name] = line.split('\t');
      return commit === undefined || name === undefined ? [] : [[name, commit]];
    }),
  );
}

/**
 * Runs git without questions at a terminal and without helpers of other protocols, and returns its output. The login of
 * `url` is in its environment, not in its arguments.
 */
async function git(
  url: string,
  environment: Environment,
  cwd: string,
  args: readonly string[],
): Promise<string> {
  const given = loginApart(url, environment);
  const env = {
    ...withoutOwnSecrets(given.environment),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
  };
  const words = args.map((word) => (word === url ? given.url : word));
  const text = { out: '', err: '' };
  const options: SpawnOptions = { cwd, env: env as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'] };
  const child = await spawnProcess('git', words, options, ({ stdout, stderr }) => {
    stdout?.on('data', (chunk: Buffer) => (text.out += chunk.toString()));
    stderr?.on('data', (chunk: Buffer) => (text.err += chunk.toString()));
  }).catch((error: unknown) => {
    throw isCairnError(error) ? error : failed(url, 'git is not on the PATH', []);
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code) =>
      code === 0
        ? resolve(text.out)
        : reject(failed(url, `git ${args[0] ?? ''} failed`, text.err.trim().split('\n'))),
    );
  });
}

function failed(url: string, why: string, causes: readonly string[]): Error {
  return cairnError('CAIRN-USAGE', `cannot get the repository ${withoutLogin(url)}: ${why}`, {
    causes: causes.map(withoutLogin),
    hint: 'Check the address, and that git can read it from here.',
  });
}

/** Returns a text in which no URL names a user. */
export const withoutLogin = (text: string): string => text.replace(/(\w+:\/\/)[^/@\s]+@/g, '$1');
