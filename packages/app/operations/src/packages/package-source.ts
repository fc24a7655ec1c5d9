import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail } from '@cairn/diagnostics';
import { withoutVersion } from '@cairn/plugin-host';
import { isGitAddress, isGitName, readGitSource } from '@cairn/plugin-host/install';

/** Source of a package's schema. */
export type PackageSource =
  /** A plugin that is installed. `version` is `undefined` for any. */
  | { readonly t: 'plugin'; readonly name: string; readonly version: string | undefined }
  /** A plugin in a folder; `path` is absolute. */
  | { readonly t: 'folder'; readonly name: string; readonly path: string }
  /**
   * A plugin in a git repository. `name` is `HOST/OWNER/REPOSITORY[/FOLDER]`, as in project files. `version` is a
   * version or a commit; it defaults to the newest.
   */
  | { readonly t: 'git'; readonly name: string; readonly version: string | undefined }
  /** A file with the schema itself; absolute. */
  | { readonly t: 'schema'; readonly path: string };

const PREFIX = 'pulumi-resource-';

/**
 * Returns the source that `NAME[@VERSION]`, an address in git (`github.com/OWNER/REPOSITORY[/FOLDER][@VERSION]`, or a
 * URL) or a path means. The path leads to a schema (`.json`), to the executable of a plugin, or to a folder with one or
 * with a PulumiPlugin.yaml. A version may follow it, as in project files.
 */
export async function packageSource(text: string, cwd: string): Promise<PackageSource> {
  if (isGitSource(text)) {
    const { address, version } = readGitSource(text);
    return { t: 'git', name: address, version };
  }
  if (!isPath(text)) return installedPlugin(text);
  const full = await withoutVersion(path.resolve(cwd, text));
  const found = await stat(full).catch(() => undefined);
  if (found === undefined)
    return fail('CAIRN-USAGE', `there is no ${text}`, { hint: `Check the path: Cairn looked for ${full}.` });
  if (found.isDirectory()) return pluginFolder(full, text);
  if (full.endsWith('.json')) return { t: 'schema', path: full };
  return pluginFile(full, text);
}

/** Tells whether a text is the address of a plugin in a git repository, and no schema in a file. */
export function isGitSource(text: string): boolean {
  return !text.endsWith('.json') && (isGitName(text) || isGitAddress(text));
}

function isPath(text: string): boolean {
  return /^\.{1,2}(?:[/\\]|$)|[/\\]|\.json$/.test(text);
}

function installedPlugin(text: string): PackageSource {
  const [name = '', version, ...rest] = text.split('@');
  if (rest.length > 0 || !/^[a-zA-Z][\w-]*$/.test(name))
    return fail('CAIRN-USAGE', `${JSON.stringify(text)} is not a package`, {
      hint: 'Pass NAME, NAME@VERSION, github.com/OWNER/REPOSITORY, or the path of a plugin, its folder or a schema.',
    });
  return { t: 'plugin', name, version: version?.replace(/^v/, '') };
}

function pluginFile(full: string, text: string): PackageSource {
  const file = path.basename(full).replace(/\.(?:exe|cmd)$/, '');
  if (!file.startsWith(PREFIX))
    return fail('CAIRN-USAGE', `${text} does not have the name of a plugin`, {
      hint: `Name the executable ${PREFIX}NAME, after its package: the engine looks for it by that name.`,
    });
  return { t: 'folder', name: file.slice(PREFIX.length), path: path.dirname(full) };
}

async function pluginFolder(full: string, text: string): Promise<PackageSource> {
  const files = await readdir(full);
  const executables = files.filter((file) => file.startsWith(PREFIX));
  if (executables.length > 1)
    return fail('CAIRN-USAGE', `${text} has several plugins: ${executables.join(', ')}`, {
      hint: 'Give the path of one of them.',
    });
  const [executable] = executables;
  if (executable !== undefined) return pluginFile(path.join(full, executable), text);
  if (files.includes('PulumiPlugin.yaml')) return { t: 'folder', name: path.basename(full), path: full };
  return fail('CAIRN-USAGE', `${text} has no plugin`, { hint: await hintFor(full, files) });
}

async function hintFor(full: string, files: readonly string[]): Promise<string> {
  const usual = `Name a folder with an executable ${PREFIX}NAME or a PulumiPlugin.yaml.`;
  if (!files.includes('package.json')) return usual;
  const { cairn } = JSON.parse(await readFile(path.join(full, 'package.json'), 'utf8')) as {
    readonly cairn?: { readonly provider?: { readonly name?: string } };
  };
  const name = cairn?.provider?.name;
  return name === undefined
    ? usual
    : `Install it with \`npm install ${full}\`, then run \`cairn package add ${name}\`.`;
}
