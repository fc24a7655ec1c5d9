import path from 'node:path';
import { parseNoticeDuration } from '@cairn/changes-daemon';
import type { MapReader } from '@cairn/workspace';
import { SOURCE_LIMITS } from './agent-config.js';
import type { AgentStack, ArchiveSource, DirectorySource, GitSource } from './agent-config.js';

const NOWHERE: DirectorySource = { t: 'directory', path: '' };
const MINUTE = 60_000;
/** Names that git accepts for a branch or tag, without those that are options or patterns of a shell. */
const REF = /^(?![-/.])(?!.*(\.\.|\/\/|@\{|\/\.|\.lock(\/|$)))[\w./+@#-]*[\w+@#-]$/;

/** Reads where the program of a stack is, and records what is not safe or not valid about it. */
export function readStackSource(stack: MapReader, base: string): AgentStack['source'] {
  const reader = stack.submap('source');
  if (reader === undefined) {
    if (stack.entry('source') === undefined)
      stack.problem(
        'source',
        'is missing',
        'Write source: { directory: … }, { git: …, branch: … } or { archive: … }.',
      );
    return NOWHERE;
  }
  const directory = reader.text('directory');
  const url = reader.text('git');
  const archive = reader.text('archive');
  if ([directory, url, archive].filter((each) => each !== undefined).length !== 1)
    reader.problem('directory', 'or "git" or "archive" must be given, one of them');
  const source =
    url !== undefined
      ? readGit(reader, url)
      : archive !== undefined
        ? readArchive(reader, archive)
        : { t: 'directory' as const, path: path.resolve(base, directory ?? '') };
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
  const common = readCommon(reader, 'repository');
  const submodules = reader.flag('submodules') ?? false;
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
    ...common,
    submodules,
    ...(credentials !== undefined && { credentials }),
  };
}

function readArchive(reader: MapReader, url: string): ArchiveSource {
  const fault = archiveProblem(url, reader.flag('local') ?? false);
  if (fault !== undefined) reader.problem('archive', fault);
  return { t: 'archive', url, ...readCommon(reader, 'archive') };
}

/** Reads what repositories and archives have: folder, interval and limits. */
function readCommon(
  reader: MapReader,
  place: string,
): Required<Pick<GitSource, 'folder' | 'everyMs' | 'most'>> {
  const folder = reader.text('folder') ?? '';
  if (!isInside(folder))
    reader.problem('folder', `must be a folder inside the ${place}, not ${JSON.stringify(folder)}`);
  const every = reader.text('every');
  const everyMs = every === undefined ? MINUTE : parseNoticeDuration(every);
  if (everyMs === undefined || everyMs < 1000)
    reader.problem('every', `must be a duration of at least 1s, not ${JSON.stringify(every)}`);
  const [files, mebibytes] = [reader.count('files'), reader.count('sizeMiB')];
  return {
    folder: path.posix.normalize(folder === '' ? '.' : folder),
    everyMs: everyMs ?? MINUTE,
    most: {
      files: files ?? SOURCE_LIMITS.files,
      bytes: mebibytes === undefined ? SOURCE_LIMITS.bytes : mebibytes * 1024 ** 2,
    },
  };
}

/**
 * Returns why the agent does not fetch an archive from an address. Files of this machine, and parameters that choose
 * servers or profiles of it, need `local: true`.
 */
export function archiveProblem(url: string, isLocal: boolean): string | undefined {
  if (/[\0-\x20\x7f\\#]/.test(url)) return 'has white space, control characters, "\\" or "#"';
  const [, scheme = '', place = '', query = ''] = /^([a-z0-9]+):\/\/([^?]*)\??(.*)$/.exec(url) ?? [];
  if (!['file', 's3', 'gs', 'azblob'].includes(scheme))
    return `must be an address with file://, s3://, gs:// or azblob://, not ${JSON.stringify(url)}`;
  if (place.includes('@')) return 'has credentials: the agent has those of its user';
  if (place.split('/').some((part) => part === '..' || part === '.')) return 'must have no part ".." or "."';
  if (!/.\/[\w.+@=,~-]+\.(?:tar\.gz|tgz|zip)$/.test(place)) return 'must name a .tar.gz, .tgz or .zip file';
  if (scheme === 'file' && !place.startsWith('/')) return 'must be an absolute path';
  if (isLocal) return undefined;
  if (scheme === 'file') return 'is a file of this machine: write local: true for it';
  const others = [...new URLSearchParams(query).keys()].filter((name) => name !== 'region');
  return others.length === 0
    ? undefined
    : `has parameters (${others.join(', ')}): write local: true for them`;
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
