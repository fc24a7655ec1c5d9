/** Work that can begin before the code of an operation is loaded. It loads neither an engine nor a backend. */
import path from 'node:path';
import { startProgramEarly } from '@cairn/language-node';
import type { WaitingProgram } from '@cairn/language-node';
import {
  checkedStackReference,
  chooseBackend,
  isPassphrase,
  loadProject,
  loadStackFile,
  managerOfFile,
  selectedStack,
} from '@cairn/workspace';
import type { Env, Project } from '@cairn/workspace';
import { programInfo, runsNode } from './access/program-info.js';
import type { StackChoice } from './access/stack-choice.js';
import { passphraseFromEnvironment, unlockSources, userOf } from './access/user.js';
import type { EarlyProgram } from './ports.js';

/** Process in which an operation is going to run. */
interface EarlyPorts {
  readonly env: Env;
  readonly cwd: string;
}

/** Work that was begun ahead. */
export interface EarlyStart {
  readonly program: EarlyProgram | undefined;
  /** Ends unused work. Never fails. */
  end(): Promise<void>;
}

/**
 * Begins the slowest preparations of an operation. Derives the key of the stack's secrets, unless it has to ask for the
 * passphrase, and starts the process of the program if it is going to run. Resolves when both run in the background.
 * Has no effect and writes nothing. It never fails: the operation itself meets all errors.
 */
export async function startEarly(
  ports: EarlyPorts,
  choice: StackChoice,
  { runsProgram }: { readonly runsProgram: boolean },
): Promise<EarlyStart> {
  const started: WaitingProgram[] = [];
  const end = async (): Promise<void> => {
    await Promise.all(started.map((each) => each.end()));
  };
  let program: EarlyProgram | undefined;
  try {
    const project = await loadProject(ports.cwd);
    if (runsProgram && runsNode(project.runtime?.name)) program = earlyProgram(ports, project, started);
    await deriveKey(ports, choice, project);
  } catch {
    // The operation reads the same files.
  }
  return { program, end };
}

function earlyProgram({ env }: EarlyPorts, project: Project, started: WaitingProgram[]): EarlyProgram {
  let waiting: WaitingProgram | undefined;
  const again = (): void => {
    waiting = startProgramEarly(programInfo(project), { environment: env });
    if (waiting !== undefined) started.push(waiting);
  };
  again();
  return {
    again,
    take: () => {
      const taken = waiting;
      waiting = undefined;
      return taken;
    },
  };
}

/** Starts the derivation in the thread pool and stores its key in memory. */
async function deriveKey(ports: EarlyPorts, choice: StackChoice, project: Project): Promise<void> {
  if (!passphraseFromEnvironment(ports)) return;
  const stack = await stackOf(ports, choice, project);
  if (stack === undefined) return;
  const at = choice.configFile === undefined ? undefined : path.resolve(ports.cwd, choice.configFile);
  const { settings } = await loadStackFile(project, stack, at);
  if (!isPassphrase(settings.secretsProvider ?? '')) return;
  const manager = await managerOfFile(settings, unlockSources({ ...ports, interaction: {} }));
  manager?.crypter().catch(() => undefined);
}

/** Returns the name of the stack that the operation is going to choose, if it belongs to the project here. */
async function stackOf(
  ports: EarlyPorts,
  choice: StackChoice,
  project: Project,
): Promise<string | undefined> {
  const user = userOf(ports);
  const { url } = await chooseBackend(user, project, choice.backendUrl);
  const text = choice.stack ?? (await selectedStack(user, project, url, (older) => !older.includes('/')));
  if (text === undefined) return undefined;
  const named = checkedStackReference(text, ports.env);
  return (named.project ?? project.name) === project.name ? named.stack : undefined;
}
