import { organizationOf } from '@cairn/backends';
import type { Urn } from '@cairn/addresses';
import type { Crypter } from '@cairn/crypters';
import { decodeResource, encodeEntry, toposort } from '@cairn/state';
import type { EditedEntry, ResourceEntry, SerializedDeployment, StateEdit } from '@cairn/state';
import type { Prepared } from '../operation/prepared.js';
import { managerOf, stateCrypter } from '../access/secrets.js';
import { editState } from '../state-edits/edit-state.js';
import type { Review } from '../state-edits/edit-state.js';
import { adoptedEntries } from './adopted-entries.js';
import type { Adoption } from './adopted-entries.js';

/** Result of an adoption. */
export interface Adopted {
  /** URN of each object's entry, in the order of the objects. */
  readonly urns: readonly Urn[];
  /** Entries of the objects and of their providers. */
  readonly entries: readonly ResourceEntry[];
}

/**
 * Adds objects of another tool to the state of a stack, in one piece under its lock; no provider is called [TFF-5].
 * Throws CAIRN-TERRAFORM-STATE if the stack already has them, and CAIRN-CANCELLED if the user declines to store it.
 */
export async function adoptObjects(
  prepared: Prepared,
  adoption: Adoption,
  message: string,
  review?: Review,
): Promise<Adopted> {
  const { program } = prepared.config;
  let adopted: Adopted = { urns: [], entries: [] };
  const rule = async (before: SerializedDeployment): Promise<StateEdit> => {
    const opened = await stateCrypter(prepared.ports, before);
    const made = adoptedEntries(adoption, {
      identity: {
        organization: organizationOf(prepared.id),
        project: prepared.id.project,
        stack: prepared.id.stack,
      },
      config: { values: Object.fromEntries(program.values), secretKeys: program.secretKeys },
      entries: before.resources.map((each) => decodeResource(each, opened, 'the state')),
      newId: () => crypto.randomUUID(),
    });
    adopted = made;
    const deployment = await withEntries(prepared, before, made.added);
    const address = new Map(made.urns.map((urn, at) => [urn, adoption.objects[at]?.address]));
    const changed = made.added.map(({ urn, delete: deposed }): EditedEntry => {
      const from = address.get(urn);
      return {
        what: 'add',
        urn,
        ...(from !== undefined && { why: deposed ? `${from}, to be deleted` : from }),
      };
    });
    return { deployment, changed, notes: [] };
  };
  await editState(prepared, { message, rule }, review);
  return adopted;
}

/** Returns the state with more entries, in a valid order. */
async function withEntries(
  prepared: Prepared,
  before: SerializedDeployment,
  entries: readonly ResourceEntry[],
): Promise<SerializedDeployment> {
  const { ports, manager, documents } = prepared;
  const secretsProvider = before.secretsProvider ?? { type: manager.type, state: manager.state };
  const crypter: Crypter = await (managerOf(ports, before)?.crypter() ?? documents);
  const added = entries.map((entry) => encodeEntry(entry, crypter));
  return {
    ...before,
    secretsProvider,
    resources: toposort([...before.resources, ...added], 'refuse'),
  };
}
