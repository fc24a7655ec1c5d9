import type { Program } from '@cairn/engine';
import type { OwnProgram, RunningProgram } from '../ports.js';
import type { Prepared } from './prepared.js';

/**
 * Returns a program that is a function of this process, run by an operation. `parallel` is the number of steps at a
 * time.
 */
export function ownProgram(
  { project, id, config, program }: Prepared,
  own: OwnProgram,
  parallel: number,
): Program {
  let running: RunningProgram | undefined;
  return {
    inProcess: true,
    run: ({ services, dryRun }) => {
      running = own.start({
        ...services,
        project: project.name,
        stack: id.stack,
        organization: 'organization',
        rootDirectory: program.rootDirectory,
        dryRun,
        parallel,
        config: Object.fromEntries(config.program.values),
        configSecretKeys: config.program.secretKeys,
      });
      return running.finished;
    },
    cancel: async () => running?.stop(),
  };
}
