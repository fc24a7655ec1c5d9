import { homedir } from 'node:os';
import { join } from 'node:path';
import { fail } from '@cairn/diagnostics';

/** Settings of the environment for plugins. A `CAIRN_*` variable wins over the `PULUMI_*` one of the same meaning. */
export interface PluginSettings {
  /** Package name to port of a plugin that already runs [PLUG-1]. */
  readonly attach: ReadonlyMap<string, number>;
  /** Runtime name to port of a language plugin that already runs. */
  readonly attachLanguages: ReadonlyMap<string, number>;
  /** Do not look on the PATH. */
  readonly ignoreAmbient: boolean;
  /** Run our own provider packages as plugin processes. */
  readonly outOfProcess: boolean;
  /** Take the newest version not below the requested one instead of exactly that. */
  readonly legacySearch: boolean;
  readonly refreshBeforeUpdate: boolean;
  /** Folders of executables that come with a command line, below its home. */
  readonly binDirectories: readonly string[];
  /** Plugin caches, first found wins. */
  readonly cacheDirectories: readonly string[];
  /** Directory in which plugins are installed: the cache shared with the other tool, unless only ours is named. */
  readonly installDirectory: string;
  /** Directory in which calls of providers in our process are noted [PLUG-14]. */
  readonly marksDirectory: string;
  readonly path: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings. Fails (CAIRN-USAGE) on a list of running plugins that cannot be read. */
export function readSettings(environment: Environment): PluginSettings {
  const ours = home(environment, 'CAIRN_HOME', '.cairn');
  const shared = home(environment, 'PULUMI_HOME', '.pulumi');
  const oursAlone = Boolean(environment['CAIRN_HOME']) && !environment['PULUMI_HOME'];
  return {
    attach: attachments(environment, 'DEBUG_PROVIDERS'),
    attachLanguages: attachments(environment, 'DEBUG_LANGUAGES'),
    ignoreAmbient: isOn(either(environment, 'IGNORE_AMBIENT_PLUGINS')),
    outOfProcess: isOn(environment['CAIRN_PROVIDERS_OUT_OF_PROCESS']),
    legacySearch: isOn(either(environment, 'ENABLE_LEGACY_PLUGIN_SEARCH')),
    refreshBeforeUpdate: !isOn(either(environment, 'DISABLE_REFRESH_BEFORE_UPDATE')),
    binDirectories: [ours, shared].map((directory) => join(directory, 'bin')),
    cacheDirectories: [ours, shared].map((directory) => join(directory, 'plugins')),
    installDirectory: join(oursAlone ? ours : shared, 'plugins'),
    marksDirectory: join(ours, 'in-process'),
    path: environment['PATH'] ?? environment['Path'] ?? '',
  };
}

function either(environment: Environment, name: string): string | undefined {
  return environment[`CAIRN_${name}`] ?? environment[`PULUMI_${name}`];
}

const isOn = (value: string | undefined): boolean =>
  value !== undefined && value !== '' && !/^(?:0|false)$/i.test(value);

function home(environment: Environment, name: string, fallback: string): string {
  const set = environment[name];
  return set === undefined || set === '' ? join(homedir(), fallback) : set;
}

function attachments(environment: Environment, variable: string): ReadonlyMap<string, number> {
  const entries = (either(environment, variable) ?? '').split(',').filter((entry) => entry.trim() !== '');
  return new Map(entries.map((entry) => attachment(entry, variable)));
}

function attachment(entry: string, variable: string): [string, number] {
  const [, name, digits] = /^\s*([^:\s]+)\s*:\s*(\d{1,5})\s*$/.exec(entry) ?? [];
  const port = Number(digits);
  if (name === undefined || port < 1 || port > 65_535) {
    const what = variable === 'DEBUG_LANGUAGES' ? 'language' : 'provider';
    return fail('CAIRN-USAGE', `cannot read "${entry.trim()}" as a running ${what}`, {
      hint: `Write CAIRN_${variable} (or PULUMI_${variable}) as name:port,name2:port2.`,
    });
  }
  return [name, port];
}
