import type { Project } from '@cairn/workspace';
import { programInfo } from '../access/program-info.js';
import { withLanguage } from '../languages/languages.js';
import { outputPassedOn, passedOn } from '../making.js';
import type { Ports } from '../ports.js';

/**
 * Installs the dependencies of a program. `versionTools` includes the tools that choose the version of its language.
 */
export async function installDependencies(
  ports: Ports,
  project: Project,
  { versionTools }: { readonly versionTools: boolean },
): Promise<void> {
  const { runtime } = project;
  if (runtime === undefined) return;
  const info = programInfo(project);
  ports.interaction.making?.({ t: 'dependencies', of: undefined });
  await withLanguage(
    ports,
    { runtime: runtime.name, info, project, onMessage: passedOn(ports) },
    (language) =>
      language.installDependencies({ info, useLanguageVersionTools: versionTools }, outputPassedOn(ports)),
  );
}
