import { noManagerCrypter, sameManager } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { EXIT, cairnError } from '@cairn/diagnostics';
import type { MoveSide, StackId } from '@cairn/backends';
import {
  decodeResource,
  emptyDeployment,
  encodeEntry,
  goJson,
  moveEntries,
  revealSecrets,
} from '@cairn/state';
import type { MoveRequest, SerializedDeployment, SerializedResource } from '@cairn/state';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { refuseUnconfirmed } from './confirm.js';
import { agree, editLines } from './edit-state.js';
import { rememberInterrupts } from './interrupts.js';
import {
  hasSecrets,
  managerOf,
  noStack,
  referredStack,
  stackName,
  stateCrypter,
} from '@cairn/operations/stacks';
import type { Ports } from '@cairn/operations/stacks';
import { tell } from './tell.js';
import { withStack } from './open-stack.js';
import { stackChoice } from './stack-choice.js';

/**
 * `state move`: resources go from one stack to another, their secrets sealed by the other stack's manager. Resolves
 * with the exit code.
 */
export function moveResources(world: World, flags: Flags, urns: readonly string[]): Promise<number> {
  const [from, to] = [flags.text('source'), flags.text('dest')];
  if (from === undefined && to === undefined) {
    throw cairnError('CAIRN-USAGE', 'from which stack to which? Neither --source nor --dest was given', {
      hint: 'The one that is not given is the selected stack.',
    });
  }
  refuseUnconfirmed(world, flags, 'this changes the states of two stacks');
  return withStack(
    world,
    flags,
    async ({ ports, project, backend, url, id: source }) => {
      const dest = referredStack(
        world,
        to ?? (await stackName(ports, stackChoice(flags), project)),
        project.name,
      );
      if (!(await backend.exists(dest))) throw noStack(dest, url);
      if (source.stack === dest.stack && source.project === dest.project)
        throw cairnError('CAIRN-USAGE', `the resources are in stack "${dest.stack}" already`);
      const message = `state move from ${nameOf(source, dest)} to ${nameOf(dest, source)}`;
      const interrupts = rememberInterrupts(world);
      let count = 0;
      try {
        const notes = await backend.move(
          source,
          dest,
          async (here, there) => {
            const move = await planned(ports, flags, { here, there, dest, urns });
            count = move.source.changed.length;
            await review(world, flags, { source, dest }, { here, there }, move);
            return { source: move.source.deployment, dest: move.dest.deployment, arrived: move.arrived };
          },
          message,
        );
        tell(world, notes);
      } finally {
        interrupts.stop();
      }
      world.stderr.write(`Moved ${count} resources to stack ${nameOf(dest, source)}\n`);
      return EXIT.ok;
    },
    from,
  );
}

interface Planned {
  readonly here: MoveSide;
  readonly there: MoveSide;
  readonly dest: StackId;
  readonly urns: readonly string[];
}

async function planned(
  ports: Ports,
  flags: Flags,
  { here, there, dest, urns }: Planned,
): Promise<ReturnType<typeof moveEntries>> {
  const keys = await sealing(ports, here.deployment, there.deployment);
  return moveEntries(here.deployment, there.deployment, {
    ...keys,
    urns,
    includeParents: flags.on('include-parents'),
    to: dest,
  });
}

/**
 * How values get from one manager to the other. Nothing is unlocked when nothing is sealed, or both stacks have the
 * same manager.
 */
async function sealing(
  ports: Ports,
  here: SerializedDeployment,
  there: SerializedDeployment,
): Promise<Pick<MoveRequest, 'reseal' | 'sameProvider'>> {
  const same = isSameManager(here, there);
  const from = await stateCrypter(ports, here);
  const needed = (hasSecrets(here) && !same) || hasSecrets(there);
  const to = (needed ? await managerOf(ports, there)?.crypter() : undefined) ?? noManagerCrypter;
  return {
    reseal: (resource) =>
      same || !isSealed(resource) ? resource : encodeEntry(decodeResource(resource, from, 'the state'), to),
    sameProvider: (needed, theirs) => plainInputs(needed, from) === plainInputs(theirs, to),
  };
}

function isSealed(resource: SerializedResource): boolean {
  return hasSecrets({ ...emptyDeployment, resources: [resource] });
}

function isSameManager(here: SerializedDeployment, there: SerializedDeployment): boolean {
  const [mine, theirs] = [here.secretsProvider, there.secretsProvider];
  if (mine === undefined || theirs === undefined) return mine === theirs;
  const crypter = (): Promise<Crypter> => Promise.resolve(noManagerCrypter);
  return sameManager({ ...mine, crypter }, { ...theirs, crypter });
}

function plainInputs(resource: SerializedResource, crypter: Crypter): string {
  const { resources } = revealSecrets({ ...emptyDeployment, resources: [resource] }, crypter, 'the state');
  return goJson(resources[0]?.inputs ?? {});
}

async function review(
  world: World,
  flags: Flags,
  { source, dest }: { readonly source: StackId; readonly dest: StackId },
  { here, there }: { readonly here: MoveSide; readonly there: MoveSide },
  move: ReturnType<typeof moveEntries>,
): Promise<void> {
  const line = (text: string): boolean => world.stderr.write(`${text}\n`);
  line(`From stack ${nameOf(source, dest)} to stack ${nameOf(dest, source)}:`);
  for (const text of [...editLines(move.source.changed), ...editLines(move.dest.changed)]) line(text);
  const superseded = [
    here.view.supersedes(move.source.deployment),
    there.view.supersedes(move.dest.deployment),
  ].filter((note) => note !== undefined);
  tell(world, [...move.source.notes, ...superseded]);
  await agree(world, flags, 'Do you want to move these resources?');
}

/** With the project where the two stacks are of different ones. */
function nameOf({ project, stack }: StackId, other: StackId): string {
  return project === other.project ? stack : `organization/${project}/${stack}`;
}
