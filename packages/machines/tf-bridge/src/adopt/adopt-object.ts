import { Secret, containsSecret, withProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { objectId, toProperties, toTerraform } from '../edge/index.js';
import { diagnosticText, parseStored } from '../lifecycle/index.js';
import type { ObjectState, Subject, TerraformClient } from '../lifecycle/index.js';
import { NO_ID } from '../edge/object-id.js';
import { STATE_PROPERTY } from '../model/index.js';
import type { ObjectModel } from '../model/index.js';
import { jsonText } from '../state-file/json-tree.js';
import type { StateInstance } from '../state-file/model.js';
import { instanceMembers } from '../state-file/write-state.js';
import { inputChoices } from './input-choices.js';

/** An object of a state as a resource of ours. */
export interface AdoptedInstance {
  readonly id: string;
  readonly inputs: PropertyMap;
  /** With the object as it stands in the state. */
  readonly outputs: PropertyMap;
  /** Why the next preview will not leave it as it is; undefined: it will, or that could not be found out. */
  readonly differs: string | undefined;
}

/** What adopts objects of one configuration of a provider. */
export interface Adopting {
  readonly client: TerraformClient;
  /** Plans may be asked for. */
  readonly isConfigured: boolean;
}

/**
 * Makes a resource of an object of a state [TFF-5]. The provider is only asked what it thinks of it: to upgrade what
 * was written with an older schema, whether a configuration is valid, and what it would plan. Fails with
 * `TerraformFailure` where the provider cannot take the object.
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

/** The object as its property keeps it: everything of the state but what the entry of the resource says. */
function storedInstance(type: string, instance: StateInstance): string {
  const members = instanceMembers({ ...instance, key: undefined, tainted: false, provider: undefined });
  return jsonText(new Map([['type', type], ...members]));
}

interface Asked {
  readonly client: TerraformClient;
  readonly subject: Subject;
  readonly state: ObjectState;
  readonly isConfigured: boolean;
}

interface Choice {
  readonly inputs: PropertyMap;
  readonly differs: string | undefined;
}

/** The first choice with which the provider would leave the object as it is; else the first that is valid. */
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
