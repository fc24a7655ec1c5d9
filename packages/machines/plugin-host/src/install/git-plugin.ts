import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, messageOf } from '@cairn/diagnostics';
import semver from 'semver';
import { checkOut, listRefs, readGitAddress, withoutLogin } from './git-repository.js';
import type { GitAddress } from './git-repository.js';
import type { PluginContent } from './plugin-content.js';
import { checkedPluginName, readVersion } from './plugin-identity.js';
import type { PluginIdentity, PluginKind, PluginReference } from './plugin-identity.js';

/** Plugin in a git repository. */
interface GitPlugin {
  readonly plugin: PluginIdentity;
  /** Folder of the plugin in the repository. */
  readonly subdirectory: string;
  readonly content: PluginContent;
}

/** Returns true if the name of a plugin is an address: a URL, or `HOST.TLD/PATH`. */
export function isGitName(name: string): boolean {
  return (
    /^(?:https?|git|ssh|file):\/\//.test(name) || /^[^./][^/]*\.[a-z]+\/[\w\-./]*[\w/](?:@.*)?$/i.test(name)
  );
}

/**
 * Returns the name and folder that a plugin from `git://…` has in a cache, or undefined if the place is not in a git
 * repository.
 */
export function gitPlace(
  downloadUrl: string | undefined,
): { readonly name: string; readonly subdirectory: string } | undefined {
  if (downloadUrl?.startsWith('git://') !== true) return undefined;
  return placeOf(addressOf(downloadUrl));
}

/**
 * Reads a plugin as the source of a package names it: `HOST/OWNER/REPOSITORY[/FOLDER][@VERSION]`, optionally after
 * `https://` or `git://`. `address` has neither scheme nor version: project files record it so.
 */
export function readGitSource(text: string): {
  readonly address: string;
  /** A version or a commit. Undefined if none was named. */
  readonly version: string | undefined;
} {
  const address = text.replace(/^(?:https|git):\/\//, '');
  if (/^[a-z]+:\/\//.test(address) || /^[^/@]*@/.test(address))
    return fail('CAIRN-USAGE', `cannot install a package from ${withoutLogin(text)}`, {
      causes: ['the address of a git repository must not contain a user, because others read it too'],
      hint: 'Write https://HOST/OWNER/REPOSITORY; configure the access with `url.<base>.insteadOf` or a credential helper of git.',
    });
  const [, named = '', version] = /^([^@]*)(?:@(.*))?$/.exec(address) ?? [];
  if (/[?#]|\/\.{1,2}(?:\/|$)/.test(named))
    return fail('CAIRN-USAGE', `${text} is not the address of a plugin in a git repository`, {
      hint: 'Write HOST/OWNER/REPOSITORY/FOLDER, followed by a version or a commit: @1.2.3.',
    });
  checkedPluginName(placeOf(addressOf(named)).name);
  return { address: named, version };
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns a plugin with the name and version that it has in a cache. Those of one from a git repository differ from its
 * own.
 */
export function cachedReference(plugin: PluginReference, downloadUrl: string | undefined): PluginReference {
  const source = isGitName(plugin.name) ? readGitSource(plugin.name) : undefined;
  const place = gitPlace(source === undefined ? downloadUrl : `git://${source.address}`);
  if (place === undefined) return plugin;
  const wanted = source?.version ?? plugin.version;
  const version = wanted === undefined ? undefined : namedRevision(wanted)?.version;
  return { ...plugin, name: place.name, version };
}

/**
 * Finds a plugin in a git repository. Its version is a tag `vX.Y.Z` or a commit (digits alone are a version). Without
 * one it is the newest tag, else the newest commit. Needs `git` on the PATH.
 */
export async function findGitPlugin(
  kind: PluginKind,
  named: string,
  version: string | undefined,
  environment: Environment,
): Promise<GitPlugin> {
  const [, text = '', at = version] = /^(.*?)(?:@([^/@:]+))?$/.exec(named) ?? [];
  const address = addressOf(text);
  const { version: found, ref } = await versionOf(address, at, environment);
  const { name, subdirectory } = placeOf(address);
  return {
    plugin: { kind, name, version: found },
    subdirectory,
    content: async (directory) => {
      await checkOut({ ...address, ref, path: '' }, directory, environment).catch((error: unknown) =>
        missingRef(address, ref, environment, error),
      );
      await refuseMissingFolder(address, found, join(directory, subdirectory));
      await rm(join(directory, '.git'), { recursive: true, force: true });
    },
  };
}

function addressOf(text: string): GitAddress {
  const url = /^[a-z]+:\/\//.test(text) ? text.replace(/^git:\/\//, 'https://') : `https://${text}`;
  return readGitAddress(url);
}

function placeOf({ url, path }: GitAddress): { readonly name: string; readonly subdirectory: string } {
  const repository = url.replace(/^[a-z]+:\/\/(?:[^/@]+@)?\/*/, '');
  const folder = path === '' ? '' : `_${path}`;
  return { name: `${repository}${folder}`.replaceAll('/', '_'), subdirectory: path };
}

/** Version of a plugin, and its ref in the repository. */
interface Revision {
  readonly version: string;
  readonly ref: string;
}

/** Returns the commit that a version represents. Such a version is not a tag. */
export function commitOf(version: string | undefined): string | undefined {
  return /^0\.0\.0-x([0-9a-f]{4,64})$/i.exec(version ?? '')?.[1];
}

function namedRevision(wanted: string): Revision | undefined {
  const version = readVersion(wanted);
  if (version !== undefined) return { version, ref: commitOf(version) ?? `${TAG}${version}` };
  return /^[0-9a-f]{4,64}$/i.test(wanted) ? { version: `0.0.0-x${wanted}`, ref: wanted } : undefined;
}

async function versionOf(
  address: GitAddress,
  wanted: string | undefined,
  environment: Environment,
): Promise<Revision> {
  const named = wanted === undefined ? undefined : namedRevision(wanted);
  if (named !== undefined) return named;
  if (wanted !== undefined)
    return fail('CAIRN-USAGE', `${JSON.stringify(wanted)} is neither a version nor a commit`, {
      hint: 'Name a version, such as 1.2.3 for the tag v1.2.3, or a commit; `git ls-remote` prints the commit of a branch.',
    });
  const refs = await listRefs(address.url, environment);
  const newest = versionsIn(refs)[0];
  if (newest !== undefined) return { version: newest, ref: `${TAG}${newest}` };
  const head = refs.get('HEAD');
  if (head !== undefined) return { version: `0.0.0-x${head}`, ref: head };
  return fail('CAIRN-PLUGIN-INSTALL', `the repository ${withoutLogin(address.url)} is empty`, {
    hint: 'Push a commit to it, or check the address.',
  });
}

/** Prefix of a version in the names of tags. */
const TAG = 'refs/tags/v';

/** Returns the versions that tags name, the newest first. Pre-releases come after all releases. */
function versionsIn(refs: ReadonlyMap<string, string>): readonly string[] {
  const versions = [...refs.keys()].flatMap((ref) => {
    const version = ref.startsWith(TAG) ? ref.slice(TAG.length) : '';
    return semver.valid(version) === null ? [] : [version];
  });
  const isRelease = (version: string): boolean =>
    semver.prerelease(version) === null && !version.includes('+');
  return versions.sort((a, b) => Number(isRelease(b)) - Number(isRelease(a)) || semver.rcompare(a, b));
}

const SHOWN = 5;

/** Tag that was named by digits alone, as many as the short form of a commit has. */
const ONLY_DIGITS = /^refs\/tags\/v(\d{7,})\.0\.0$/;

/**
 * Fails because a repository lacks the ref to check out. If the repository cannot be listed, fails with the first
 * error.
 */
async function missingRef(
  { url }: GitAddress,
  ref: string,
  environment: Environment,
  error: unknown,
): Promise<never> {
  const refs = await listRefs(url, environment).catch(() => undefined);
  if (refs === undefined || refs.has(ref)) throw error;
  const what = ref.startsWith(TAG) ? `tag ${ref.slice(TAG.length - 1)}` : `commit ${ref}`;
  const versions = versionsIn(refs).slice(0, SHOWN);
  const others =
    versions.length === 0
      ? 'it has no tag of a version: name a commit, or nothing for the newest one'
      : `name another version or a commit; its newest versions are ${versions.join(', ')}`;
  const digits = ONLY_DIGITS.exec(ref)?.[1];
  const hint =
    digits === undefined
      ? others
      : `digits alone are a version: if ${digits} begins a commit, name more of it, as far as its first letter; or ${others}`;
  return fail(
    'CAIRN-PLUGIN-INSTALL',
    `${withoutLogin(url)} has no ${what}`,
    { causes: [messageOf(error)], hint },
    error,
  );
}

async function refuseMissingFolder(
  { url, path }: GitAddress,
  version: string,
  folder: string,
): Promise<void> {
  if ((await stat(folder).catch(() => undefined))?.isDirectory() === true) return;
  const base = withoutLogin(url).replace(/^https:\/\//, '');
  fail('CAIRN-PLUGIN-INSTALL', `${withoutLogin(url)} has no folder ${path} at ${version}`, {
    hint: `Check the address: the part after ${base} names a folder, or name the version that has it.`,
  });
}
