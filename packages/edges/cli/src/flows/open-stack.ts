import {
  createStack as createNamedStack,
  openStackFile as openFile,
  withStack as withChosenStack,
} from '@cairn/operations/stacks';
import type { OpenStack, OpenStackFile } from '@cairn/operations/stacks';
import type { StackId } from '@cairn/backends';
import type { StackFlags } from '../flags/operation.js';
import type { CommandContext } from '../command-context.js';
import { stackChoice } from './stack-choice.js';
import { portsOf } from './ports.js';

/** Runs work with the named stack, else the one that flag, variable or selection name. */
export function withStackForFlags<T>(
  context: CommandContext,
  flags: StackFlags,
  run: (stack: OpenStack) => Promise<T>,
  named?: string,
): Promise<T> {
  return withChosenStack(portsOf(context, flags), stackChoice(flags, named), run);
}

/** Opens the configuration file of the stack that flag, variable or selection name. */
export function openStackFileForFlags(context: CommandContext, flags: StackFlags): Promise<OpenStackFile> {
  return openFile(portsOf(context, flags), stackChoice(flags));
}

/** Creates a stack of the project here, according to the flags. */
export function createStackForFlags(
  context: CommandContext,
  flags: StackFlags,
  reference: string,
  options: { readonly select: boolean },
): Promise<StackId> {
  return createNamedStack(portsOf(context, flags), reference, {
    ...stackChoice(flags),
    ...options,
    secretsProvider: flags.secretsProvider,
  });
}
