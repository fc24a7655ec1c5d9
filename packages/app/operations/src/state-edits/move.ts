import { stackNotFound } from '@cairn/backends';
import type { MoveSide, StackId } from '@cairn/backends';
import { noManagerCrypter, sameManager } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import {
  decodeResource,
  emptyDeployment,
  encodeEntry,
  goJson,
  moveEntries,
  revealSecrets,
} from '@cairn/state';
import type { Move, MoveRequest, SerializedDeployment, SerializedResource } from '@cairn/state';
import type { OpenStack } from '../access/open-stack.js';
import { ciphertextsOf, fetchedCrypter, hasSecrets, managerOf, stateCrypter } from '../access/secrets.js';
import { nameBeside } from '../access/stack-reference.js';
import { declinedError, rememberInterrupts, tell } from '../ports.js';
import type { Ports } from '../ports.js';
import type { Review } from './edit-state.js';

/** Resources to move to another stack of the same backend. */
interface MoveOptions {
  readonly dest: StackId;
  /** URNs of the resources; everything below them moves too. */
  readonly urns: readonly string[];
  /** Moves the components above them as well. */
  readonly includeParents?: boolean | undefined;
}

/**
 * Moves resources to another stack, with secrets sealed by that stack's manager. Resolves with their number. Throws
 * CAIRN-STACK-NOT-FOUND, CAIRN-USAGE when they are already in it, CAIRN-STATE-RESOURCE, CAIRN-CANCELLED.
 */
export async function moveInState(
  { ports, backend, url, id: source }: OpenStack,
  { dest, urns, includeParents = false }: MoveOptions,
  review?: Review<Move>,
): Promise<number> {
  if (!(await backend.exists(dest))) throw stackNotFound(dest, url);
  if (source.stack === dest.stack && source.project === dest.project)
    throw cairnError('CAIRN-USAGE', `the resources are already in stack "${dest.stack}"`);
  let count = 0;
  const change = async (here: MoveSide, there: MoveSide) => {
    const keys = await sealing(ports, here.deployment, there.deployment);
    const move = moveEntries(here.deployment, there.deployment, { ...keys, urns, includeParents, to: dest });
    const superseded = [
      here.view.supersedes(move.source.deployment),
      there.view.supersedes(move.dest.deployment),
    ].filter((note) => note !== undefined);
    const notes = [...move.source.notes, ...superseded];
    if (review === undefined) tell(ports, notes);
    else if (!(await review({ edit: move, notes }))) throw declinedError();
    count = move.source.changed.length;
    return { source: move.source.deployment, dest: move.dest.deployment, arrived: move.arrived };
  };
  const message = `state move from ${nameBeside(source, dest)} to ${nameBeside(dest, source)}`;
  const interrupts = rememberInterrupts(ports);
  try {
    tell(ports, await backend.move(source, dest, change, message));
  } finally {
    interrupts.stop();
  }
  return count;
}

/**
 * Returns the functions that move values from one manager to the other. Nothing is unlocked when nothing is sealed, or
 * both stacks have the same manager.
 */
async function sealing(
  ports: Ports,
  here: SerializedDeployment,
  there: SerializedDeployment,
): Promise<Pick<MoveRequest, 'reseal' | 'sameProvider'>> {
  const same = isSameManager(here, there);
  const from = await stateCrypter(ports, here);
  const needed = (hasSecrets(here) && !same) || hasSecrets(there);
  const manager = needed ? managerOf(ports, there) : undefined;
  const to = manager === undefined ? noManagerCrypter : await fetchedCrypter(manager, ciphertextsOf(there));
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
