import { programInfo, withLanguage } from '@cairn/operations';
import type { Project } from '@cairn/workspace';
import type { Flags } from '../../command-spec.js';
import type { World } from '../../world.js';
import { portsOf } from '../ports.js';
import { isOn } from '../stack-choice.js';

/** What a program depends on; what the package manager writes goes where it has written it. */
export async function installDependencies(world: World, flags: Flags, project: Project): Promise<void> {
  const { runtime } = project;
  if (runtime === undefined) return;
  const info = programInfo(project);
  world.stderr.write('Installing dependencies\n');
  await withLanguage(
    portsOf(world, flags),
    {
      ...{ runtime: runtime.name, info, project },
      onMessage: ({ text }) => void world.stderr.write(`${text}\n`),
    },
    (language) =>
      language.installDependencies(
        {
          info,
          useLanguageVersionTools: isOn(flags, 'use-language-version-tools'),
        },
        (stream, text) => world[stream].write(text),
      ),
  );
}
