import type { Ports } from '@cairn/operations/stacks';
import type { Flags } from '../command-spec.js';
import { isAlias } from '../terminal/called-as.js';
import type { World } from '../world.js';
import { startEnvironment } from './detach.js';
import { terminalInteraction } from './interaction.js';
import { cairnVersion, packageDirectory } from './version.js';

const made = new WeakMap<World, Ports>();

/**
 * Returns the ports that operations need from a command. They are the same for the whole command, so that nothing is
 * reported twice.
 */
export function portsOf(world: World, flags: Flags): Ports {
  const known = made.get(world);
  if (known !== undefined) return known;
  const ports: Ports = {
    env: world.env,
    cwd: world.cwd,
    now: world.now,
    version: cairnVersion(),
    packageRoots: [packageDirectory()],
    started: { argv: world.argv, recorded: startEnvironment(world, flags) },
    onInterrupt: world.onInterrupt,
    interaction: terminalInteraction(world, flags),
    observer: world.observer,
    early: world.early?.program,
    typesAreChecked: isAlias(world),
    usualSdk: isAlias(world) ? 'pulumi' : undefined,
  };
  made.set(world, ports);
  return ports;
}
