import {
  backendChoice as chooseBackend,
  createStack as createNamedStack,
  openStackFile as openFile,
  withBackend as withChosenBackend,
  withStack as withChosenStack,
} from '@cairn/operations/stacks';
import type { OpenStack, OpenStackFile } from '@cairn/operations/stacks';
import type { Backend, StackId } from '@cairn/backends';
import type { BackendChoice, Project } from '@cairn/workspace';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { stackChoice, textOf } from './stack-choice.js';
import { portsOf } from './ports.js';

/** Runs something with the stack that is named, else the one that flag, variable or selection name. */
export function withStack<T>(
  world: World,
  flags: Flags,
  run: (stack: OpenStack) => Promise<T>,
  named?: string,
): Promise<T> {
  return withChosenStack(portsOf(world, flags), stackChoice(flags, named), run);
}

/** Runs something with the backend that flag, variable, project or login choose. */
export function withBackend<T>(
  world: World,
  flags: Flags,
  project: Project | undefined,
  run: (backend: Backend, url: string) => Promise<T>,
): Promise<T> {
  return withChosenBackend(portsOf(world, flags), stackChoice(flags), project, run);
}

/** Which backend to use, and who chose it. */
export function backendChoice(world: World, flags: Flags, project?: Project): Promise<BackendChoice> {
  return chooseBackend(portsOf(world, flags), stackChoice(flags), project);
}

/** The configuration file of the stack that flag, variable or selection name. */
export function openStackFile(world: World, flags: Flags): Promise<OpenStackFile> {
  return openFile(portsOf(world, flags), stackChoice(flags));
}

/** Creates a stack of the project here, as the flags want it. */
export function createStack(
  world: World,
  flags: Flags,
  reference: string,
  options: { readonly select: boolean },
): Promise<StackId> {
  const secretsProvider = textOf(flags, 'secrets-provider');
  return createNamedStack(portsOf(world, flags), reference, {
    ...stackChoice(flags),
    ...options,
    secretsProvider,
  });
}
