import { randomUUID } from 'node:crypto';
import { noBucket, openBackend as openBackendAt, upgradeBucket } from '@cairn/backends';
import type { Backend, BackendPorts, Upgrade, UpgradeSources } from '@cairn/backends';
import type { Diagnostic } from '@cairn/diagnostics';
import { chooseBackend, findProject, isServiceUrl, loadProject } from '@cairn/workspace';
import type { BackendChoice, Project } from '@cairn/workspace';
import { tell } from '../ports.js';
import type { Ports } from '../ports.js';
import { noteBackend } from './present-service.js';
import { openManager } from './secrets.js';
import { accessTo } from './service-login.js';
import { thisProcess } from './this-process.js';
import { userOf } from './user.js';

/** Options to reach a backend. Omitted options come from the environment, the project and the home. */
export interface Reach {
  readonly backendUrl?: string | undefined;
  /** Accepts and stores states although they are not consistent [INT-3]. */
  readonly skipIntegrity?: boolean | undefined;
  /** Longest time to wait for the lock of another process. Defaults to no waiting. */
  readonly waitForLockMs?: number | undefined;
}

/** Returns the chosen backend, and the source of the choice. */
export function backendChoice(
  ports: Ports,
  { backendUrl }: Reach,
  project?: Project,
): Promise<BackendChoice> {
  return chooseBackend(userOf(ports), project, backendUrl);
}

/** The project here, if there is one, and the chosen backend. */
interface BackendHere {
  readonly project: Project | undefined;
  readonly choice: BackendChoice;
}

/** Returns the backend that is used here, inside or outside of a project. */
export async function backendHere(ports: Ports, reach: Reach): Promise<BackendHere> {
  const project = (await findProject(ports.cwd)) === undefined ? undefined : await loadProject(ports.cwd);
  return { project, choice: await backendChoice(ports, reach, project) };
}

/** Does work with the backend that is used here. `url` is its address. */
export async function withBackendHere<T>(
  ports: Ports,
  reach: Reach,
  work: (backend: Backend, url: string) => Promise<T>,
): Promise<T> {
  const { project } = await backendHere(ports, reach);
  return withBackend(ports, reach, project, work);
}

/** Opens a backend. Reports once the source of the choice, and stacks of the old layout in it. The caller closes it. */
export async function openChosenBackend(
  ports: Ports,
  { skipIntegrity, waitForLockMs }: Reach,
  choice: Pick<BackendChoice, 'url' | 'createDirectory'> & Partial<Pick<BackendChoice, 'origin'>>,
  project?: Project,
): Promise<Backend> {
  const known = told.get(ports) ?? new Set<string>();
  told.set(ports, known);
  if (choice.origin === 'pulumi-login' && !known.has(choice.url))
    ports.interaction.notice({ t: 'login-of-pulumi', url: choice.url });
  refuseSealing(ports, choice.url, project);
  const integrity = skipIntegrity === true ? 'skip' : 'check';
  const backend = await openBackendAt(
    choice.url,
    { ...backendPorts(ports, project), integrity, waitForLockMs },
    placeOf(ports, choice),
  );
  if (!known.has(choice.url)) tell(ports, await oldStacks(backend));
  known.add(choice.url);
  noteBackend(ports, choice.url);
  return backend;
}

/** Addresses for which the caller has received all notes. */
const told = new WeakMap<Ports, Set<string>>();

/**
 * Returns notes about stacks that are no longer visible [STORE-4]. If the user may not list them, the next call reports
 * it.
 */
async function oldStacks({ bucket }: Backend): Promise<readonly Diagnostic[]> {
  return (await bucket?.notes().catch(() => [])) ?? [];
}

/** Refuses to store states on a service that are to be sealed as a whole. Throws CAIRN-USAGE. */
function refuseSealing({ env }: Ports, url: string, project: Project | undefined): void {
  const mode = env['CAIRN_STATE_ENCRYPTION'] || project?.stateEncryption;
  if (mode === 'on' && isServiceUrl(url)) throw noBucket(url, 'seal states as a whole');
}

/** Moves the stacks of a backend of the old layout into their projects. */
export async function upgradeBackend(
  ports: Ports,
  choice: Pick<BackendChoice, 'url' | 'createDirectory'>,
  sources: UpgradeSources,
): Promise<Upgrade> {
  if (isServiceUrl(choice.url)) throw noBucket(choice.url, 'upgrade the backend');
  return upgradeBucket(choice.url, backendPorts(ports), placeOf(ports, choice), sources);
}

function placeOf(ports: Ports, { createDirectory }: Pick<BackendChoice, 'createDirectory'>) {
  return { home: userOf(ports).userHome, cwd: ports.cwd, createDirectory, env: ports.env };
}

function backendPorts(ports: Ports, project?: Project): BackendPorts {
  return {
    env: ports.env,
    now: ports.now,
    newId: randomUUID,
    version: `v${ports.version}`,
    argv: ports.started.argv,
    process: thisProcess(ports.interaction.attended),
    waiting: (text) => ports.interaction.notice({ t: 'waiting', text }),
    checkpoint: project?.checkpoint,
    serviceAccess: (url) => accessTo(ports, url),
    sealing: {
      mode: project?.stateEncryption,
      open: async (manager) => openManager(ports, manager).crypter(),
    },
  };
}

/** Runs a function with the chosen backend, and closes the backend in any case. */
export async function withBackend<T>(
  ports: Ports,
  reach: Reach,
  project: Project | undefined,
  run: (backend: Backend, url: string) => Promise<T>,
): Promise<T> {
  const choice = await backendChoice(ports, reach, project);
  const backend = await openChosenBackend(ports, reach, choice, project);
  try {
    return await run(backend, choice.url);
  } finally {
    await backend.close();
  }
}
