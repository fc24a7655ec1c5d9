import path from 'node:path';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import {
  cachedReference,
  checkedKind,
  checkedPluginName,
  checkedVersion,
  isGitName,
  isNpmSource,
  installedPlugins,
  pluginFacts,
  pluginLabel,
  platformKey,
  readArchiveName,
  readSettings,
  removePlugin,
  thisPlatform,
} from '@cairn/plugin-host/install';
import type { InstallRequest, PluginInstallation, PluginFacts } from '@cairn/plugin-host/install';
import { goStruct } from '@cairn/state';
import { loadProject } from '@cairn/workspace';
import semver from 'semver';
import type { Command, Invocation } from '../command-spec.js';
import { firstGiven } from '../flags/flag-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import type { GlobalFlags } from '../flags/global.js';
import { isConfirmed } from '../flows/confirm.js';
import { installAll, installLocked, projectPlugins } from '@cairn/operations/packages';
import { makingPorts } from '../flows/making.js';
import { parallelOf } from '../flows/parallel.js';
import { sizeText } from '../terminal/size.js';
import { alignedLines } from '../terminal/columns.js';
import { formatAge } from '../terminal/duration.js';
import { printJson } from '../terminal/json-output.js';
import { confirm, needsAnswer } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';

/** `plugin install` */
export const install: Command<
  Texts<'checksum' | 'file' | 'parallel' | 'server'> & Switches<'exact' | 'reinstall'>
> = async ({ args, flags }, context) => {
  const settings = {
    reinstall: flags.reinstall,
    exact: flags.exact,
    parallel: parallelOf(flags),
  };
  if (args[0] === undefined) {
    const requests = await ofProject(flags, context);
    await installLocked(makingPorts(context, flags), await loadProject(context.cwd), requests, settings);
  } else await installAll(makingPorts(context, flags), [await requestOf(args, flags, context)], settings);
  return EXIT.ok;
};

async function ofProject(
  flags: GlobalFlags & Texts<'checksum' | 'file' | 'server'>,
  context: CommandContext,
): Promise<readonly InstallRequest[]> {
  const name = firstGiven(flags, ['file', 'checksum', 'server']);
  if (name !== undefined)
    throw cairnError('CAIRN-USAGE', `--${name} is only valid if a specific package is being installed`, {
      hint: 'Name the kind and the name of the plugin.',
    });
  return projectPlugins(makingPorts(context, flags));
}

async function requestOf(
  args: Invocation['args'],
  flags: Texts<'checksum' | 'file' | 'server'>,
  { cwd }: CommandContext,
): Promise<InstallRequest> {
  const [first = '', second, third] = args;
  const server = flags.server;
  const checksums = checksumsOf(flags.checksum);
  const file = flags.file;
  const archive = second === undefined ? archiveOf(first) : undefined;
  if (archive !== undefined && file === undefined && server === undefined)
    return { ...archive, ...(archive.file && { file: path.resolve(cwd, archive.file) }), checksums };
  if (isNpmSource(first) && second === undefined)
    return { plugin: { kind: 'resource', name: '', version: undefined }, server: first, checksums };
  const kind = checkedKind(first);
  if (second === undefined)
    throw cairnError('CAIRN-USAGE', 'missing plugin name argument', {
      hint: `Run \`cairn plugin install ${kind} NAME\`.`,
    });
  if (isGitName(second))
    return { plugin: { kind, name: second, version: third }, server: undefined, checksums };
  const [name = '', at] = second.split('@');
  if (at !== undefined && third !== undefined)
    throw cairnError('CAIRN-USAGE', 'cannot specify a version when the version is part of the name', {
      hint: `Leave out @${at} or ${third}.`,
    });
  const version = at ?? third;
  return {
    plugin: {
      kind,
      name: checkedPluginName(name),
      version: version === undefined ? undefined : checkedVersion(version),
    },
    server,
    file: file === undefined ? undefined : path.resolve(cwd, file),
    checksums,
  };
}

/** Returns a plugin that is given by its archive, whose name follows that of plugin archives. */
function archiveOf(text: string): Pick<InstallRequest, 'plugin' | 'archiveUrl' | 'file'> | undefined {
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const file = url === undefined ? text : decoded(url.pathname);
  const named = file === undefined ? undefined : readArchiveName(path.basename(file));
  if (named === undefined) return undefined;
  const plugin = {
    kind: checkedKind(named.kind),
    name: checkedPluginName(named.name),
    version: checkedVersion(named.version),
  };
  return url === undefined ? { plugin, file: text } : { plugin, archiveUrl: url.href };
}

/** Decodes a text. Returns undefined if it contains a `%` that is not an escape. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function checksumsOf(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined) return {};
  if (/^[0-9a-fA-F]{64}$/.test(text)) return { [platformKey(thisPlatform())]: text };
  throw cairnError('CAIRN-USAGE', '--checksum was not a valid hex string', {
    hint: 'Give the SHA-256 of the archive: 64 digits from 0 to f.',
  });
}

/** `plugin ls` */
export const list: Command<Switches<'json' | 'project'> & Texts<'output'>> = async ({ flags }, context) => {
  const output = flags.output ?? 'default';
  if (output !== 'default' && output !== 'json')
    throw cairnError('CAIRN-USAGE', `--output takes default or json, not ${JSON.stringify(output)}`);
  const installed = await installedPlugins(readSettings(context.env).cacheDirectories);
  const plugins = flags.project ? await usedBy(flags, context, installed) : installed;
  const rows = await Promise.all(
    plugins.map(async (plugin) => ({ plugin, facts: await pluginFacts(plugin) })),
  );
  if (flags.json || output === 'json') printJson(context, rows.map(pluginJson));
  else printPlugins(context, rows);
  return EXIT.ok;
};

async function usedBy(
  flags: GlobalFlags,
  context: CommandContext,
  installed: readonly PluginInstallation[],
): Promise<readonly PluginInstallation[]> {
  const requests = await projectPlugins(makingPorts(context, flags));
  const needed = requests.map(({ plugin, server }) => cachedReference(plugin, server));
  return installed.filter((plugin) =>
    needed.some(
      ({ kind, name, version }) =>
        kind === plugin.kind && name === plugin.name && (version === undefined || version === plugin.version),
    ),
  );
}

interface Row {
  readonly plugin: PluginInstallation;
  readonly facts: PluginFacts;
}

function pluginJson({ plugin: { name, kind, version }, facts }: Row) {
  return goStruct({
    ...{ name, kind, version, size: facts.size },
    installTime: facts.installed.toISOString(),
    lastUsedTime: facts.lastUsed.toISOString(),
  });
}

function printPlugins(context: CommandContext, rows: readonly Row[]): void {
  const now = context.now();
  const cells = rows.map(({ plugin: { name, kind, version }, facts: { size, installed, lastUsed } }) => [
    ...[name, kind, version, size === 0 ? 'n/a' : sizeText(size)],
    ...[formatAge(installed, now), formatAge(lastUsed, now)],
  ]);
  const head = ['NAME', 'KIND', 'VERSION', 'SIZE', 'INSTALLED', 'LAST USED'];
  for (const line of alignedLines([head, ...cells])) context.stdout.write(`${line}\n`);
  const total = rows.reduce((sum, { facts }) => sum + facts.size, 0);
  context.stdout.write(`\nTOTAL plugin cache size: ${sizeText(total)}\n`);
}

/** `plugin rm` */
export const remove: Command<Switches<'all'>> = async ({ args: [kind, name, range], flags }, context) => {
  if (kind === undefined && !flags.all)
    throw cairnError('CAIRN-USAGE', "please pass --all if you'd like to remove all plugins", {
      hint: 'Pass --all, or a kind, a name and versions: plugin rm resource NAME 1.0.0.',
    });
  const wanted = kind === undefined ? undefined : checkedKind(kind);
  if (range !== undefined && semver.validRange(range) === null)
    throw cairnError(
      'CAIRN-USAGE',
      `invalid plugin semver: ${JSON.stringify(range)} is neither a version nor a range`,
    );
  const plugins = (await installedPlugins(readSettings(context.env).cacheDirectories)).filter(
    (plugin) =>
      (wanted === undefined || plugin.kind === wanted) &&
      (name === undefined || plugin.name === name) &&
      (range === undefined || semver.satisfies(plugin.version, range, { includePrerelease: true })),
  );
  if (plugins.length === 0) {
    context.stderr.write('no plugins found to uninstall\n');
    return EXIT.ok;
  }
  if (!(await mayRemove(context, flags, plugins))) return EXIT.ok;
  await removeAll(context, plugins);
  return EXIT.ok;
};

async function mayRemove(
  context: CommandContext,
  flags: GlobalFlags,
  plugins: readonly PluginInstallation[],
): Promise<boolean> {
  if (isConfirmed(context, flags)) return true;
  const what = `${plugins.length} plugin${plugins.length === 1 ? '' : 's'}`;
  if (!context.terminal.interactive) throw needsAnswer(`removing ${what} needs a confirmation`, '--yes');
  context.stdout.write(`This will remove ${what} from the cache:\n`);
  for (const { kind, name, version } of plugins) context.stdout.write(`    ${kind} ${name}-${version}\n`);
  return confirm(context, `Remove ${what}?`);
}

async function removeAll(context: CommandContext, plugins: readonly PluginInstallation[]): Promise<void> {
  const failures: string[] = [];
  for (const plugin of plugins)
    await removePlugin(plugin).then(
      () => context.stdout.write(`removed: ${plugin.kind} ${plugin.name}-${plugin.version}\n`),
      (error: unknown) => failures.push(`${pluginLabel(plugin)}: ${messageOf(error)}`),
    );
  if (failures.length > 0)
    throw cairnError('CAIRN-PLUGIN-INSTALL', 'not every plugin could be removed', {
      causes: failures,
      hint: 'Check the permissions of the plugin cache.',
    });
}
