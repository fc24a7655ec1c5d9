import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import { selectedStack } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import { backendChoice } from './open-backend.js';
import type { Reach } from './open-backend.js';
import { stackHere } from './stack-reference.js';
import { userOf } from './user.js';

/** Choice of a stack and its backend. Omitted options come from the environment, the project and the home. */
export interface StackChoice extends Reach {
  /** `dev`, `organization/dev` or `organization/shop/dev`. Defaults to `CAIRN_STACK` or the selection. */
  readonly stack?: string | undefined;
  /** The stack's configuration file, if it is not in its usual place. */
  readonly configFile?: string | undefined;
}

/** Returns the path of the stack's configuration, if it is not in its usual place. */
export function configFileOf({ cwd }: Pick<Ports, 'cwd'>, { configFile }: StackChoice): string | undefined {
  return configFile === undefined ? undefined : path.resolve(cwd, configFile);
}

/** Returns the name of the stack that is given, that `CAIRN_STACK` names or that is selected; otherwise `undefined`. */
export async function chosenStackName(
  ports: Ports,
  choice: StackChoice,
  project: Project,
): Promise<string | undefined> {
  return choice.stack === undefined
    ? selectedStackName(ports, choice, project)
    : stackHere(ports, choice.stack, project.name);
}

/** Returns the name of the stack from `CAIRN_STACK` or the selection, if any. */
export async function selectedStackName(
  ports: Ports,
  choice: StackChoice,
  project: Project,
): Promise<string | undefined> {
  const { url } = await backendChoice(ports, choice, project);
  const selected = await selectedStack(userOf(ports), project, url, (text) => !text.includes('/'));
  return selected === undefined ? undefined : stackHere(ports, selected, project.name);
}

/** Returns the name like {@link chosenStackName}, but throws if there is none. */
export async function stackName(ports: Ports, choice: StackChoice, project: Project): Promise<string> {
  const name = await chosenStackName(ports, choice, project);
  if (name !== undefined) return name;
  throw cairnError('CAIRN-STACK-NOT-CHOSEN', 'no stack selected', {
    hint: 'Pass --stack <name>, or choose one with `cairn stack select`; `cairn stack init <name>` creates one.',
  });
}
