import { Secret, containsSecret, withProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { objectId, toProperties, toTerraform } from '../values/index.js';
import { diagnosticText, parseStored } from '../lifecycle/index.js';
import type { TerraformObjectState, Subject, TerraformClient } from '../lifecycle/index.js';
import { NO_ID } from '../values/object-id.js';
import { STATE_PROPERTY } from '../model/index.js';
import type { ObjectModel } from '../model/index.js';
import { jsonTreeText } from '../state-file/json-tree.js';
import type { StateInstance } from '../state-file/model.js';
import { instanceMembers } from '../state-file/write-state.js';
import { inputChoices } from './input-choices.js';

/** An object of a state as a resource of Cairn. */
export interface AdoptedInstance {
  readonly id: string;
  readonly inputs: PropertyMap;
  /** Outputs, including the object as the state has it. */
  readonly outputs: PropertyMap;
  /** Difference that the next preview would show. Undefined if there is none, or if it could not be determined. */
  readonly differs: string | undefined;
}

/** Connection for adopting the objects of one provider configuration. */
export interface Adopting {
  readonly client: TerraformClient;
  /** True if plans can be requested. */
  readonly isConfigured: boolean;
}

/**
 * Creates a resource from an object of a state [TFF-5]. The provider only answers questions: it upgrades an object
 * written with an older schema, validates a configuration, and plans. Fails with `TerraformFailure` if the provider
 * cannot take the object.
 */
export async function adoptInstance(
  { client, isConfigured }: Adopting,
  { type, shape }: ObjectModel,
  address: string,
  instance: StateInstance,
): Promise<AdoptedInstance> {
  const text = storedInstance(type, instance);
  const subject: Subject = { type, address };
  const { state } = await client.upgrade(subject, parseStored(text));
  const secrets = state.sensitivePaths ?? [];
  const reported = toProperties(shape, state.value, { secrets });
  const choices = inputChoices(shape, reported);
  const asked = { client, subject, state, isConfigured: isConfigured && !instance.tainted };
  const { inputs, differs } = await choose(asked, shape, choices);
  const isSecretObject = containsSecret(reported) || (instance.private?.length ?? 0) > 0;
  return {
    id: objectId(state.value) ?? NO_ID,
    inputs,
    outputs: withProperty(reported, STATE_PROPERTY, isSecretObject ? new Secret(text) : text),
    differs,
  };
}

/** Returns the object in the form of its property: everything in the state except the data in the resource's entry. */
function storedInstance(type: string, instance: StateInstance): string {
  const members = instanceMembers({ ...instance, key: undefined, tainted: false, provider: undefined });
  return jsonTreeText(new Map([['type', type], ...members]));
}

interface Asked {
  readonly client: TerraformClient;
  readonly subject: Subject;
  readonly state: TerraformObjectState;
  readonly isConfigured: boolean;
}

interface Choice {
  readonly inputs: PropertyMap;
  readonly differs: string | undefined;
}

/** Returns the first choice with which the provider would leave the object unchanged, else the first valid one. */
async function choose(
  asked: Asked,
  shape: ObjectModel['shape'],
  choices: readonly PropertyMap[],
): Promise<Choice> {
  let best: Choice | undefined;
  let refused: string | undefined;
  for (const inputs of choices) {
    const answer = await differenceWith(asked, shape, inputs);
    if (answer.t === 'refused') {
      refused ??= answer.why;
      continue;
    }
    if (answer.differs === undefined) return { inputs, differs: undefined };
    best ??= { inputs, differs: answer.differs };
  }
  return best ?? { inputs: choices[0] ?? {}, differs: refused };
}

type Difference =
  { readonly t: 'refused'; readonly why: string } | { readonly t: 'valid'; readonly differs?: string };

async function differenceWith(
  { client, subject, state, isConfigured }: Asked,
  shape: ObjectModel['shape'],
  inputs: PropertyMap,
): Promise<Difference> {
  try {
    const { value } = toTerraform(shape, inputs);
    const said = await client.validateResource(subject.type, value);
    const errors = said.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) return { t: 'refused', why: errors.map(diagnosticText).join('; ') };
    if (!isConfigured) return { t: 'valid' };
    const { action } = await client.plan(subject, { prior: state, config: value });
    return action === 'none' ? { t: 'valid' } : { t: 'valid', differs: `the provider plans to ${action} it` };
  } catch (error) {
    return { t: 'refused', why: error instanceof Error ? error.message : String(error) };
  }
}
