import { cairnError } from '@cairn/diagnostics';
import type { AgentConfig } from './agent-config.js';

/** Returns the values of variables that the file names. Fails for one without a value. */
export function secretReader(
  { forges = [], notify = [] }: Pick<AgentConfig, 'forges' | 'notify'>,
  env: NodeJS.ProcessEnv,
): (variable: string) => string {
  const needed = [
    ...forges.flatMap(({ name, token, secret }) =>
      [token, secret].map((each) => [`forge ${name}`, each] as const),
    ),
    ...notify.flatMap((target) =>
      [
        target.address,
        ...(target.kind === 'webhook' && target.secret !== undefined ? [target.secret] : []),
      ].map((each) => [`target ${target.name}`, each] as const),
    ),
  ];
  for (const [owner, variable] of needed)
    if ((env[variable] ?? '') === '')
      throw cairnError('CAIRN-USAGE', `${owner} needs the variable ${variable}, which is not set`, {
        hint: 'Set it in the environment of the agent.',
      });
  return (variable) => env[variable] ?? '';
}
