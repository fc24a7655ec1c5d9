import type { PluginHostOptions } from '@cairn/plugin-host';
import type { Project } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import { builtInLanguage, languagePlaces, stopLimits } from './languages.js';

type HostSettings =
  | 'project'
  | 'runtimeOptions'
  | 'projectPlugins'
  | 'projectPackages'
  | 'packageRoots'
  | 'bundledDirectories'
  | 'environment'
  | 'limits'
  | 'languageHost'
  | 'languages';

/** Returns the options of a plugin host that follow from the project, if there is one, and from the environment. */
export function hostSettings(
  ports: Ports,
  project: Project | undefined,
): Pick<PluginHostOptions, HostSettings> {
  return {
    project: project?.name ?? '',
    runtimeOptions: project?.runtime?.options ?? {},
    projectPlugins: project?.plugins.providers ?? [],
    projectPackages: Object.fromEntries(
      [...(project?.packages ?? [])].map(([name, { text, source }]) => [name, text ?? source]),
    ),
    packageRoots: [...ports.packageRoots],
    bundledDirectories: [],
    environment: ports.env,
    limits: stopLimits(ports.env),
    languageHost: (runtime) => builtInLanguage(ports.env, runtime),
    languages: languagePlaces(ports, project),
  };
}
