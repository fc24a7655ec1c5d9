import type { Ports } from '@cairn/operations/stacks';
import type { StackFlags } from '../flags/operation.js';
import { isAlias } from '../terminal/called-as.js';
import type { CommandContext } from '../command-context.js';
import { startEnvironment } from './detach.js';
import { terminalInteraction } from './interaction.js';
import { cairnVersion, packageDirectory } from './version.js';

const made = new WeakMap<CommandContext, Ports>();

/**
 * Returns the ports that operations need from a command. They are the same for the whole command, so that nothing is
 * reported twice.
 */
export function portsOf(context: CommandContext, flags: StackFlags): Ports {
  const known = made.get(context);
  if (known !== undefined) return known;
  const ports: Ports = {
    env: context.env,
    cwd: context.cwd,
    now: context.now,
    version: cairnVersion(),
    packageRoots: [packageDirectory()],
    started: { argv: context.argv, recorded: startEnvironment(context, flags) },
    onInterrupt: context.onInterrupt,
    interaction: terminalInteraction(context, flags),
    observer: context.observer,
    early: context.early?.program,
    typesAreChecked: isAlias(context),
    usualSdk: isAlias(context) ? 'pulumi' : undefined,
  };
  made.set(context, ports);
  return ports;
}
