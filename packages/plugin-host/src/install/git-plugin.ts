import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '@cairn/diagnostics';
import semver from 'semver';
import { checkOut, listRefs, readGitAddress } from './git-repository.js';
import type { GitAddress } from './git-repository.js';
import type { PluginContent } from './plugin-content.js';
import { readVersion } from './plugin-identity.js';
import type { PluginIdentity, PluginKind } from './plugin-identity.js';

/** A plugin in a git repository. */
export interface GitPlugin {
  readonly plugin: PluginIdentity;
  /** Folder of the plugin in the repository. */
  readonly subdirectory: string;
  readonly content: PluginContent;
}

/** Whether the name of a plugin is an address: a URL, or `HOST.TLD/PATH`. */
export function isGitName(name: string): boolean {
  return (
    /^(?:https?|git|ssh|file):\/\//.test(name) || /^[^./][^/]*\.[a-z]+\/[\w\-./]*[\w/](?:@.*)?$/i.test(name)
  );
}

/** Name and folder that a plugin from `git://…` has in a cache; undefined: the place is none in a git repository. */
export function gitPlace(
  downloadUrl: string | undefined,
): { readonly name: string; readonly subdirectory: string } | undefined {
  if (downloadUrl?.startsWith('git://') !== true) return undefined;
  return placeOf(addressOf(downloadUrl));
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds a plugin in a git repository. Its version is a tag `vX.Y.Z` or a commit; without one the newest tag, else the
 * newest commit. Needs `git` on the PATH.
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
      await checkOut({ ...address, ref, path: '' }, directory, environment);
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

async function versionOf(
  address: GitAddress,
  wanted: string | undefined,
  environment: Environment,
): Promise<{ readonly version: string; readonly ref: string }> {
  const version = wanted === undefined ? undefined : readVersion(wanted);
  const commit = /^0\.0\.0-x([0-9a-f]{4,64})$/.exec(version ?? '')?.[1];
  if (commit !== undefined) return { version: version ?? '', ref: commit };
  if (version !== undefined) return { version, ref: `v${version}` };
  if (wanted !== undefined) {
    if (/^[0-9a-f]{4,64}$/i.test(wanted)) return { version: `0.0.0-x${wanted}`, ref: wanted };
    return fail('CAIRN-USAGE', `${JSON.stringify(wanted)} is neither a version nor a commit`);
  }
  const refs = await listRefs(address.url, environment);
  const tags = [...refs.keys()].flatMap((ref) => {
    const tag = /^refs\/tags\/v(.+)$/.exec(ref)?.[1];
    return tag !== undefined && semver.valid(tag) !== null && semver.prerelease(tag) === null ? [tag] : [];
  });
  const newest = tags.sort(semver.rcompare)[0];
  if (newest !== undefined) return { version: newest, ref: `v${newest}` };
  const head = refs.get('HEAD');
  if (head !== undefined) return { version: `0.0.0-x${head}`, ref: head };
  return fail('CAIRN-PLUGIN-INSTALL', `the repository ${address.url} is empty`);
}
