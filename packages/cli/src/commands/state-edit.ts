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
import type { SerializedDeployment, SerializedResource, StateEdit } from '@cairn/state';
import { editStack } from '../session/edit-state.js';
import { editText } from '../session/edit-text.js';
import { managerOf } from '@cairn/operations/stacks';
import type { Ports } from '@cairn/operations/stacks';
import { noManagerCrypter } from '@cairn/crypters';
import type { World } from '../world.js';
import type { CommandCode, Flags } from './command-spec.js';
import { portsOf } from '../session/ports.js';

export const run: CommandCode['run'] = async ({ flags }, world) =>
  editStack(world, flags, {
    message: 'state edit',
    rule: async (before) => edited(world, flags, before),
    question: 'Do you want to store the edited state?',
    done: ({ what, urn }) => `${DONE[what] ?? what} ${urn}`,
    nothing: 'Nothing was changed',
  });

const DONE: Readonly<Record<string, string>> = {
  add: 'added',
  alter: 'altered',
  delete: 'took out',
  'alter the rest': 'altered',
};

async function edited(world: World, flags: Flags, before: SerializedDeployment): Promise<StateEdit> {
  const text = untypedDeploymentText(before);
  const deployment = await editText(world, {
    name: 'state.json',
    text,
    take: async (written) => {
      if (written === text) return before;
      const taken = readUntypedDeployment(written, 'the edited text').deployment ?? emptyDeployment;
      if (!flags.on('disable-integrity-checking')) refuseInconsistent(taken);
      return sealed(portsOf(world, flags), before, taken);
    },
  });
  return { deployment, changed: editedEntries(before, deployment), notes: [] };
}

function refuseInconsistent(deployment: SerializedDeployment): void {
  const { failure } = checkIntegrity(deployment, 'read');
  if (failure !== undefined) throw new CairnError([failure]);
}

/** Secrets that were written in the clear are sealed; the others keep their ciphertext. */
async function sealed(
  ports: Ports,
  before: SerializedDeployment,
  deployment: SerializedDeployment,
): Promise<SerializedDeployment> {
  const { resources, pendingOperations } = deployment;
  const all = [...resources, ...pendingOperations.map(({ resource }) => resource)];
  if (!all.some(hasPlaintext)) return deployment;
  const crypter = (await managerOf(ports, before)?.crypter()) ?? noManagerCrypter;
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
