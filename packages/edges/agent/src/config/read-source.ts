import path from 'node:path';
import { parseNoticeDuration } from '@cairn/changes-daemon';
import type { MapReader } from '@cairn/workspace';
import { SOURCE_LIMITS } from './agent-config.js';
import type { DirectorySource, GitSource } from './agent-config.js';

const NOWHERE: DirectorySource = { t: 'directory', path: '' };
const MINUTE = 60_000;
/** Names that git accepts for a branch or tag, without those that are options or patterns of a shell. */
const REF = /^(?![-/.])(?!.*(\.\.|\/\/|@\{|\/\.|\.lock(\/|$)))[\w./+@#-]*[\w+@#-]$/;

/** Reads where the program of a stack is, and records what is not safe or not valid about it. */
export function readStackSource(stack: MapReader, base: string): DirectorySource | GitSource {
  const reader = stack.submap('source');
  if (reader === undefined) {
    if (stack.entry('source') === undefined)
      stack.problem(
        'source',
        'is missing',
        'Write source: { directory: … } or source: { git: …, branch: … }.',
      );
    return NOWHERE;
  }
  const directory = reader.text('directory');
  const url = reader.text('git');
  if ((directory === undefined) === (url === undefined))
    reader.problem('directory', 'or "git" must be given, one of them');
  const source =
    url === undefined
      ? { t: 'directory' as const, path: path.resolve(base, directory ?? '') }
      : readGit(reader, url);
  reader.refuseOthers();
  return source;
}

function readGit(reader: MapReader, url: string): GitSource {
  const fault = urlProblem(url, reader.flag('local') ?? false);
  if (fault !== undefined) reader.problem('git', fault);
  const branch = reader.text('branch');
  const tag = reader.text('tag');
  if ((branch === undefined) === (tag === undefined))
    reader.problem('branch', 'or "tag" must be given, one of them');
  for (const [key, name] of [
    ['branch', branch],
    ['tag', tag],
  ] as const)
    if (name !== undefined && !REF.test(name))
      reader.problem(key, `is not a valid name: ${JSON.stringify(name)}`);
  const folder = reader.text('folder') ?? '';
  if (!isInside(folder))
    reader.problem('folder', `must be a folder inside the repository, not ${JSON.stringify(folder)}`);
  const every = reader.text('every');
  const everyMs = every === undefined ? MINUTE : parseNoticeDuration(every);
  if (everyMs === undefined || everyMs < 1000)
    reader.problem('every', `must be a duration of at least 1s, not ${JSON.stringify(every)}`);
  const submodules = reader.flag('submodules') ?? false;
  const [files, mebibytes] = [reader.count('files'), reader.count('sizeMiB')];
  const most = {
    files: files ?? SOURCE_LIMITS.files,
    bytes: mebibytes === undefined ? SOURCE_LIMITS.bytes : mebibytes * 1024 ** 2,
  };
  const credentials = reader.text('credentials');
  if (credentials !== undefined && !/^[A-Za-z_]\w*$/.test(credentials))
    reader.problem('credentials', 'must be the name of a variable', 'Set the variable for the agent.');
  if (credentials !== undefined && !url.startsWith('https:'))
    reader.problem(
      'credentials',
      'are for https addresses only',
      'Give ssh its key on the machine of the agent.',
    );
  const ref = branch === undefined ? `refs/tags/${tag ?? ''}` : `refs/heads/${branch}`;
  return {
    t: 'git',
    url,
    ref,
    folder: path.posix.normalize(folder === '' ? '.' : folder),
    everyMs: everyMs ?? MINUTE,
    submodules,
    most,
    ...(credentials !== undefined && { credentials }),
  };
}

/**
 * Returns why the agent does not fetch from an address. `https` and `ssh` are allowed, and `file` if the stack says
 * `local: true`; every other transport can run commands or reads what the agent's user can read.
 */
export function urlProblem(url: string, isLocal: boolean): string | undefined {
  if (/[\0-\x20\x7f]/.test(url)) return 'has white space or control characters';
  if (/^https:\/\/[\w.-]+(:\d+)?\/./.test(url)) return undefined;
  if (/^https:\/\/[^/]*@/.test(url)) return 'has credentials: give them to git by a credential helper';
  if (/^ssh:\/\/([\w.-]+@)?(?!-)[\w.-]+(:\d+)?\/./.test(url)) return undefined;
  if (/^[\w.-]+@(?!-)[\w.-]+:(?!-)./.test(url)) return undefined;
  if (url.startsWith('file:///'))
    return isLocal ? undefined : 'is a repository of this machine: write local: true for it';
  return `must be an https or ssh address, not ${JSON.stringify(url)}`;
}

function isInside(folder: string): boolean {
  if (
    folder.includes('\0') ||
    folder.includes('\\') ||
    folder.startsWith('-') ||
    path.posix.isAbsolute(folder)
  )
    return false;
  return !folder.split('/').some((part) => part === '..' || part === '.git');
}
