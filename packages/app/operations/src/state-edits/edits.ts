import { copiesOf, deleteEntries, describeCopy, markEntries, renameEntry } from '@cairn/state';
import type {
  EditedEntry,
  EntryName,
  MarkRequest,
  RenameRequest,
  SerializedDeployment,
  SerializedResource,
  StateEdit,
} from '@cairn/state';
import type { OpenStack } from '../access/open-stack.js';
import { nothingChanged } from '../ports.js';
import { editState } from './edit-state.js';
import type { Review } from './edit-state.js';

/** What is taken out of a state. */
interface DeleteOptions {
  /** Of the resources that are meant; absent: all. */
  readonly urns?: readonly string[] | undefined;
  /** Protected resources too. */
  readonly force?: boolean | undefined;
  /** Also what depends on them. */
  readonly dependents?: boolean | undefined;
  /**
   * Which of several entries with the same URN is meant, of those that are described, counted from 0; undefined:
   * nothing is to be changed. Absent: that it is not clear is an error.
   */
  readonly chooseCopy?: ChooseCopy | undefined;
}

type ChooseCopy = (urn: string, copies: readonly string[]) => Promise<number | undefined>;

/**
 * Takes resources out of the state; the objects themselves stay and are not managed any more. Throws
 * CAIRN-STATE-RESOURCE for a URN that no resource has, for what is protected, and for what others depend on.
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
    if (copy === undefined) throw nothingChanged();
    names.push({ urn, copy });
  }
  return names;
}

/** Sets a mark, or takes it away. Throws CAIRN-STATE-RESOURCE for a URN that no resource has. */
export function markInState(
  stack: OpenStack,
  request: MarkRequest,
  review?: Review,
): Promise<readonly EditedEntry[]> {
  const message = `state ${request.on ? '' : 'un'}${request.mark}`;
  return editState(stack, { message, rule: (deployment) => markEntries(deployment, request) }, review);
}

/** Gives a resource another name, as its program does. Throws CAIRN-STATE-RESOURCE. */
export function renameInState(
  stack: OpenStack,
  request: RenameRequest,
  review?: Review,
): Promise<readonly EditedEntry[]> {
  const message = `state rename to ${request.name}`;
  return editState(stack, { message, rule: (deployment) => renameEntry(deployment, request) }, review);
}
