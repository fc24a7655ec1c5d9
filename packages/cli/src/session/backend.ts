import { randomUUID } from 'node:crypto';
import { openBackend as openBackendAt, upgradeBackend as upgradeBackendAt } from '@cairn/backends';
import type { Backend, BackendPorts, Upgrade, UpgradeSources } from '@cairn/backends';
import { chooseBackend } from '@cairn/workspace';
import type { BackendChoice, Project } from '@cairn/workspace';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { openManager } from './secrets.js';
import { tell } from './tell.js';
import { thisProcess } from '@cairn/operations';
import { userOf } from './user.js';
import { cairnVersion } from './version.js';

/** Which backend to use, and who chose it. */
export function backendChoice(world: World, flags: Flags, project?: Project): Promise<BackendChoice> {
  return chooseBackend(userOf(world), project, flags.text('backend-url'));
}

/**
 * Opens a backend, and warns once of stacks of the old layout in it. Close it when done. `--disable-integrity-checking`
 * counts for everything that is done with it [INT-3].
 */
export async function openBackend(
  world: World,
  flags: Flags,
  choice: Pick<BackendChoice, 'url' | 'createDirectory'>,
  project?: Project,
): Promise<Backend> {
  const integrity = flags.on('disable-integrity-checking') ? 'skip' : 'check';
  const ports: BackendPorts = { ...portsOf(world, project), integrity };
  const backend = await openBackendAt(choice.url, ports, placeOf(world, choice));
  await tellOldStacks(world, backend);
  return backend;
}

/** Addresses of which a command has told what there is to know. */
const told = new WeakMap<World, Set<string>>();

/** Stacks that nobody sees any more [STORE-4]. Whoever may not list them is told so by whatever comes next. */
async function tellOldStacks(world: World, backend: Backend): Promise<void> {
  const known = told.get(world) ?? new Set<string>();
  told.set(world, known);
  if (known.has(backend.url)) return;
  known.add(backend.url);
  tell(world, await backend.notes().catch(() => []));
}

/** Moves the stacks of a backend of the old layout into their projects. */
export function upgradeBackend(
  world: World,
  choice: Pick<BackendChoice, 'url' | 'createDirectory'>,
  sources: UpgradeSources,
): Promise<Upgrade> {
  return upgradeBackendAt(choice.url, portsOf(world), placeOf(world, choice), sources);
}

function placeOf(world: World, { createDirectory }: Pick<BackendChoice, 'createDirectory'>) {
  return { home: userOf(world).userHome, cwd: world.cwd, createDirectory, env: world.env };
}

function portsOf(world: World, project?: Project): BackendPorts {
  return {
    env: world.env,
    now: world.now,
    newId: randomUUID,
    version: `v${cairnVersion()}`,
    argv: world.argv,
    process: thisProcess(world.terminal.interactive),
    waiting: (text) => void world.stderr.write(`${text}\n`),
    checkpoint: project?.checkpoint,
    sealing: {
      mode: project?.stateEncryption,
      open: async (manager) => openManager(world, manager).crypter(),
    },
  };
}

/** Runs something with the chosen backend and closes it whatever happens. */
export async function withBackend<T>(
  world: World,
  flags: Flags,
  project: Project | undefined,
  run: (backend: Backend, url: string) => Promise<T>,
): Promise<T> {
  const choice = await backendChoice(world, flags, project);
  const backend = await openBackend(world, flags, choice, project);
  try {
    return await run(backend, choice.url);
  } finally {
    await backend.close();
  }
}
