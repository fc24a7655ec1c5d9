import type { Crypter } from '@cairn/crypters';
import { fail } from '@cairn/diagnostics';
import type { Project } from '../project/project.js';
import type { StackFile } from '../stack-file/stack-file.js';
import type { ConfigByKey } from './config-tree.js';
import type { ProgramConfig } from './program-config.js';
import { programConfig } from './program-config.js';
import { applyProjectDefaults, checkedConfig } from './project-defaults.js';

/** The config of one operation, as stored for history and as the program receives it. */
export interface ResolvedConfig {
  readonly config: ConfigByKey;
  readonly program: ProgramConfig;
}

/**
 * Returns the config of an operation: the stack file's, completed and checked by the project's declarations [CFG-4].
 * `crypter` is called only if there are secrets. With `checks` set to `everything`, the values are checked against the
 * declarations. Fails with `CAIRN-CONFIG-MISSING` or `CAIRN-CONFIG-INVALID`; the latter also for a file that names
 * environments, which need a service.
 */
export async function operationConfig(
  project: Project,
  stack: string,
  file: StackFile,
  crypter: () => Promise<Crypter>,
  checks: 'everything' | 'nothing' = 'everything',
): Promise<ResolvedConfig> {
  if (file.settings.environment !== undefined) {
    fail('CAIRN-CONFIG-INVALID', `stack "${stack}" uses environments, which this version cannot open`, {
      source: { file: file.path },
      hint: 'Move the values under "config" in the stack file and remove "environment".',
    });
  }
  const stored = file.settings.config;
  const config =
    checks === 'nothing'
      ? applyProjectDefaults(project, stored)
      : await checkedConfig(project, stack, file, crypter);
  return { config, program: await programConfig(config, crypter) };
}
