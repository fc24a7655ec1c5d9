import { copiesOf, deleteEntries, describeCopy, markEntries, renameEntry } from '@cairn/state';
import type {
  EditedEntry,
  EntryName,
  MarkRequest,
  EntryRename,
  SerializedDeployment,
  SerializedResource,
  StateEdit,
} from '@cairn/state';
import type { OpenStack } from '../access/open-stack.js';
import { declinedError } from '../ports.js';
import { editState } from './edit-state.js';
import type { Review } from './edit-state.js';

/** Options to delete entries from a state. */
interface DeleteOptions {
  /** URNs of the resources to delete. Defaults to all. */
  readonly urns?: readonly string[] | undefined;
  /** Deletes protected resources too. */
  readonly force?: boolean | undefined;
  /** Also deletes their dependents. */
  readonly dependents?: boolean | undefined;
  /**
   * Chooses one of several entries with the same URN by its description, and returns its index from 0, or `undefined`
   * to change nothing. Without it, an ambiguous URN is an error.
   */
  readonly chooseCopy?: ChooseCopy | undefined;
}

type ChooseCopy = (urn: string, copies: readonly string[]) => Promise<number | undefined>;

/**
 * Deletes resources from the state; the objects themselves remain and are no longer managed. Throws
 * CAIRN-STATE-RESOURCE for a URN that no resource has, for a protected resource, and for one with dependents.
 */
export function deleteFromState(
  stack: OpenStack,
  { urns, force = false, dependents = false, chooseCopy }: DeleteOptions,
  review?: Review,
): Promise<readonly EditedEntry[]> {
  const rule = async (deployment: SerializedDeployment): Promise<StateEdit> => {
    const entries = urns && (await namedEntries(deployment, urns, chooseCopy));
    return deleteEntries(deployment, { entries, force, dependents });
  };
  return editState(stack, { message: 'state delete', rule }, review);
}

async function namedEntries(
  deployment: SerializedDeployment,
  urns: readonly string[],
  choose: ChooseCopy | undefined,
): Promise<readonly EntryName[]> {
  const names: EntryName[] = [];
  for (const urn of urns) {
    const copies = copiesOf(deployment, urn);
    if (copies.length < 2 || choose === undefined) {
      names.push({ urn });
      continue;
    }
    const described = copies.map((at) => describeCopy(deployment.resources[at] as SerializedResource));
    const copy = await choose(urn, described);
    if (copy === undefined) throw declinedError();
    names.push({ urn, copy });
  }
  return names;
}

/** Sets or removes a mark. Throws CAIRN-STATE-RESOURCE for a URN that no resource has. */
export function markInState(
  stack: OpenStack,
  request: MarkRequest,
  review?: Review,
): Promise<readonly EditedEntry[]> {
  const message = `state ${request.on ? '' : 'un'}${request.mark}`;
  return editState(stack, { message, rule: (deployment) => markEntries(deployment, request) }, review);
}

/** Renames a resource, as its program does. Throws CAIRN-STATE-RESOURCE. */
export function renameInState(
  stack: OpenStack,
  request: EntryRename,
  review?: Review,
): Promise<readonly EditedEntry[]> {
  const message = `state rename to ${request.name}`;
  return editState(stack, { message, rule: (deployment) => renameEntry(deployment, request) }, review);
}
