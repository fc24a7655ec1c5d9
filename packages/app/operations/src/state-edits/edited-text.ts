import { noManagerCrypter } from '@cairn/crypters';
import { CairnError } from '@cairn/diagnostics';
import {
  checkIntegrity,
  decodeResource,
  editedEntries,
  emptyDeployment,
  encodeEntry,
  hasPlaintext,
  readUntypedDeployment,
  untypedDeploymentText,
} from '@cairn/state';
import type { EditedEntry, SerializedDeployment, SerializedResource, StateEdit } from '@cairn/state';
import type { OpenStack } from '../access/open-stack.js';
import { ciphertextsOf, fetchedCrypter, managerOf } from '../access/secrets.js';
import type { Ports } from '../ports.js';
import { editState } from './edit-state.js';
import type { Review } from './edit-state.js';

/** Changes the text of a state. `take` parses the changed text; it rejects an invalid one, and can be called again. */
type EditText = (
  text: string,
  take: (written: string) => Promise<SerializedDeployment>,
) => Promise<SerializedDeployment>;

/**
 * Lets a caller edit the state as a text, in which secrets stay sealed; secrets written in the clear are sealed. Throws
 * CAIRN-STATE-CORRUPT and, unless the check is skipped, CAIRN-STATE-INTEGRITY, through `take`.
 */
export function editStateText(
  stack: OpenStack,
  edit: EditText,
  { skipIntegrity = false }: { readonly skipIntegrity?: boolean } = {},
  review?: Review,
): Promise<readonly EditedEntry[]> {
  const rule = async (before: SerializedDeployment): Promise<StateEdit> => {
    const text = untypedDeploymentText(before);
    const deployment = await edit(text, async (written) => {
      if (written === text) return before;
      const taken = readUntypedDeployment(written, 'the edited text').deployment ?? emptyDeployment;
      if (!skipIntegrity) refuseInconsistent(taken);
      return sealed(stack.ports, before, taken);
    });
    return { deployment, changed: editedEntries(before, deployment), notes: [] };
  };
  return editState(stack, { message: 'state edit', rule }, review);
}

function refuseInconsistent(deployment: SerializedDeployment): void {
  const { failure } = checkIntegrity(deployment, 'read');
  if (failure !== undefined) throw new CairnError([failure]);
}

/** Seals secrets that were written in the clear; the others keep their ciphertext. */
async function sealed(
  ports: Ports,
  before: SerializedDeployment,
  deployment: SerializedDeployment,
): Promise<SerializedDeployment> {
  const { resources, pendingOperations } = deployment;
  const all = [...resources, ...pendingOperations.map(({ resource }) => resource)];
  if (!all.some(hasPlaintext)) return deployment;
  const manager = managerOf(ports, before);
  const crypter =
    manager === undefined ? noManagerCrypter : await fetchedCrypter(manager, ciphertextsOf(deployment));
  const seal = (resource: SerializedResource): SerializedResource =>
    hasPlaintext(resource)
      ? encodeEntry(decodeResource(resource, crypter, 'the edited text'), crypter)
      : resource;
  return {
    ...deployment,
    resources: resources.map(seal),
    pendingOperations: pendingOperations.map((operation) => ({
      ...operation,
      resource: seal(operation.resource),
    })),
  };
}
