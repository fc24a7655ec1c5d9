import { warningDiagnostic } from '@cairn/diagnostics';
import {
  equal,
  emptyMap,
  getProperty,
  isSecret,
  isUnknown,
  mapValues,
  propertyMap,
  secret,
} from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { StackOutputs } from '../../ports.js';
import { oneDifference, onlyInput } from './builtin-resource.js';
import type { BuiltinResource, BuiltinWorld } from './builtin-resource.js';

/** Outputs of another stack. Programs should read it. Registering it still works, with a warning [PROV-9]. */
export const stackReference: BuiltinResource = {
  check({ urn, news }, { ports }) {
    const diagnostic = warningDiagnostic(
      'CAIRN-RESOURCE-OPTION',
      'registering a resource of type pulumi:pulumi:StackReference is deprecated; read it instead',
      { urn, hint: 'Use the StackReference class of a current SDK.' },
    );
    ports.emit({ t: 'diagnostic', diagnostic, streamId: 0, ephemeral: false });
    return { inputs: news, failures: onlyInput(news, 'name') };
  },
  diff({ oldInputs, news }) {
    const differs = !equal(getProperty(oldInputs, 'name') ?? null, getProperty(news, 'name') ?? null);
    return oneDifference(differs, 'name', true);
  },
  async create({ inputs, preview }, world) {
    const name = getProperty(inputs, 'name');
    if (preview && isUnknown(isSecret(name) ? name.value : name)) {
      return { id: '', outputs: emptyMap, refreshBeforeUpdate: false };
    }
    const id = preview ? '' : world.ports.newId();
    return {
      id,
      outputs: await stackReferenceOutputs(stackName(inputs, 'name'), world),
      refreshBeforeUpdate: false,
    };
  },
  async read({ id, inputs, state }, world) {
    // A read that creates the entry has the name in its properties. A refresh has it in the inputs.
    const wanted = inputs ?? state;
    if (wanted === undefined)
      throw new ProviderError('UNIMPLEMENTED', 'a stack reference cannot be imported');
    const [failure] = onlyInput(inputs ?? emptyMap, 'name');
    if (failure !== undefined) throw new ProviderError('INVALID_ARGUMENT', failure.reason);
    const outputs = await stackReferenceOutputs(stackName(wanted, 'name'), world);
    return { id, inputs: wanted, outputs, refreshBeforeUpdate: false };
  },
  update({ urn }) {
    throw new ProviderError('UNIMPLEMENTED', `a stack reference is never updated in place: ${urn}`);
  },
};

/** Returns the content of a stack reference: the name, the outputs, and the sorted names of the secret ones. */
export async function stackReferenceOutputs(name: string, { ports }: BuiltinWorld): Promise<PropertyMap> {
  const { outputs, secretNames } = await ports.stackOutputs(name);
  return propertyMap({
    name,
    outputs: markSecrets({ outputs, secretNames }),
    secretOutputNames: [...secretNames].sort(),
  });
}

function markSecrets({ outputs, secretNames }: StackOutputs): PropertyMap {
  if (secretNames.length === 0) return outputs;
  const names = new Set(secretNames);
  return mapValues(outputs, (value, key) => (names.has(key) ? secret(value) : value));
}

/** Returns the name of a stack from inputs or arguments. */
export function stackName(map: PropertyMap, key: string): string {
  const value = getProperty(map, key);
  const name = isSecret(value) ? value.value : value;
  if (typeof name === 'string' && name !== '') return name;
  throw new ProviderError('INVALID_ARGUMENT', `the property "${key}" must be the name of a stack`);
}
