import path from 'node:path';
import type { StackId } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { selectedStack } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import { backendChoice } from './open-backend.js';
import type { Reach } from './open-backend.js';
import { refuseOrganization, stackHere } from './stack-reference.js';
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

/** Returns the stack that is given, that `CAIRN_STACK` names or that is selected; otherwise `undefined`. */
export async function chosenStack(
  ports: Ports,
  choice: StackChoice,
  project: Project,
): Promise<StackId | undefined> {
  const { url } = await backendChoice(ports, choice, project);
  const text =
    choice.stack ?? (await selectedStack(userOf(ports), project, url, (older) => !older.includes('/')));
  if (text === undefined) return undefined;
  const id = stackHere(ports, text, project.name);
  refuseOrganization(url, id);
  return id;
}

/** Returns the stack from `CAIRN_STACK` or the selection, if any. */
export function storedChoice(ports: Ports, reach: Reach, project: Project): Promise<StackId | undefined> {
  return chosenStack(ports, { ...reach, stack: undefined }, project);
}

/** Returns the stack like {@link chosenStack}, but throws if there is none. */
export async function requiredStack(ports: Ports, choice: StackChoice, project: Project): Promise<StackId> {
  const id = await chosenStack(ports, choice, project);
  if (id !== undefined) return id;
  throw cairnError('CAIRN-STACK-NOT-CHOSEN', 'no stack selected', {
    hint: 'Pass --stack <name>, or choose one with `cairn stack select`; `cairn stack init <name>` creates one.',
  });
}
