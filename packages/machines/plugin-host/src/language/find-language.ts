import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { cairnError, fail } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { executableIn, executableName, executableOnPath } from '../discovery/executables.js';
import { listCache, selectPlugin, touch } from '../discovery/plugin-cache.js';
import type { ProjectPlugin } from '../options.js';
import type { PluginSettings } from '../settings.js';

/** Location of a language plugin: it runs already, or is started. */
export type LanguageLocation =
  | { readonly kind: 'attached'; readonly port: number }
  | { readonly kind: 'executable'; readonly path: string };

/** Input of the search for a language plugin. */
export interface LanguageSearch {
  /** Name in `runtime`. */
  readonly runtime: string;
  /** Directory of the project file, to which its paths are relative. */
  readonly rootDirectory: string;
  /** `plugins.languages` of the project file. */
  readonly languagePlugins: readonly ProjectPlugin[];
  /** Directories with plugins that come with the command line. */
  readonly bundledDirectories: readonly string[];
}

/** Finds a language plugin in the order of [PLUG-1]. Fails with CAIRN-RUNTIME-UNKNOWN when it is nowhere. */
export async function findLanguage(
  search: LanguageSearch,
  settings: PluginSettings,
): Promise<LanguageLocation> {
  const { runtime, rootDirectory, languagePlugins } = search;
  const port = settings.attachLanguages.get(runtime);
  if (port !== undefined) return { kind: 'attached', port };
  const named = languagePlugins.find(({ name }) => name === runtime);
  if (named !== undefined) return ofProject(named, rootDirectory);
  const path =
    (settings.ignoreAmbient ? undefined : await executableOnPath(settings.path, runtime, 'language')) ??
    (await inFolders(search, settings)) ??
    (await inCaches(runtime, settings));
  if (path === undefined) throw notFound(search, settings);
  return { kind: 'executable', path };
}

async function ofProject({ name, path }: ProjectPlugin, root: string): Promise<LanguageLocation> {
  const full = isAbsolute(path) ? path : join(root, path);
  const isFile = await stat(full).then(
    (found) => found.isFile(),
    () => false,
  );
  const executable = isFile ? full : await executableIn(full, name, 'language');
  if (executable !== undefined) return { kind: 'executable', path: executable };
  return fail(
    'CAIRN-RUNTIME-UNKNOWN',
    `the project names ${full} for the language ${name}, but there is no ${executableName(name, 'language')}`,
    { hint: 'Correct the path under `plugins.languages` in the project file.' },
  );
}

async function inFolders(
  { runtime, bundledDirectories }: LanguageSearch,
  { binDirectories }: PluginSettings,
): Promise<string | undefined> {
  for (const directory of [...bundledDirectories, ...binDirectories]) {
    const path = await executableIn(directory, runtime, 'language');
    if (path !== undefined) return path;
  }
  return undefined;
}

async function inCaches(runtime: string, { cacheDirectories }: PluginSettings): Promise<string | undefined> {
  for (const cache of cacheDirectories) {
    const plugin = selectPlugin(
      await listCache(cache),
      { kind: 'language', name: runtime, version: undefined },
      false,
    );
    const path = plugin === undefined ? undefined : await executableIn(plugin.directory, runtime, 'language');
    if (plugin === undefined || path === undefined) continue;
    await touch(plugin);
    return path;
  }
  return undefined;
}

function notFound({ runtime, bundledDirectories }: LanguageSearch, settings: PluginSettings): CairnError {
  const name = executableName(runtime, 'language');
  return cairnError('CAIRN-RUNTIME-UNKNOWN', `no plugin runs the language ${JSON.stringify(runtime)}`, {
    causes: [
      settings.ignoreAmbient ? 'not looked for on the PATH' : `no ${name} on the PATH`,
      ...[...bundledDirectories, ...settings.binDirectories].map((directory) => `none in ${directory}`),
      ...settings.cacheDirectories.map(
        (cache) => `no language-${runtime.replaceAll('/', '_')}-v… in the plugin cache ${cache}`,
      ),
    ],
    hint: howToGet(runtime, name),
  });
}

/** Languages whose plugin comes with Pulumi's command line, and further requirements of their programs. */
const WITH_PULUMI: Readonly<Record<string, string>> = {
  python: 'with pulumi-language-python-exec next to it; programs need Python and its package pulumi',
  go: 'programs need Go',
  dotnet: 'programs need the .NET SDK',
  java: 'programs need a JDK with Maven or Gradle',
  yaml: 'programs need nothing else',
  bun: 'programs need Bun',
};

function howToGet(runtime: string, executable: string): string {
  const also = Object.hasOwn(WITH_PULUMI, runtime) ? WITH_PULUMI[runtime] : undefined;
  return also === undefined
    ? `Cairn itself runs nodejs; for another language put its ${executable} on the PATH, or correct \`runtime\``
    : `install ${executable}, which comes with Pulumi's command line, and put it on the PATH (${also})`;
}
