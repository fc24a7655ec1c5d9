import { fromJson, parseType } from '@cairn/tfplugin';
import { Secret, newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { valueToProperty } from '../values/index.js';
import { BUILT_IN, providerText, providerTypeOf, resourceAddressText } from '../state-file/address.js';
import type { StateProviderAddress, ResourceAddress } from '../state-file/address.js';
import { jsonTreeText } from '../state-file/json-tree.js';
import type { StateInstance, StateResource, TerraformState } from '../state-file/model.js';
import { dependencyFinder } from './dependencies.js';

/** An object of a state that becomes a resource. */
export interface StateObject {
  readonly address: ResourceAddress;
  /** The address in readable form. */
  readonly text: string;
  readonly instance: StateInstance;
  readonly provider: StateProviderAddress;
  /** Addresses of its dependencies: instances of the state. */
  readonly dependencies: readonly string[];
}

/** Parts of a state that become part of a stack. */
interface StateContent {
  readonly objects: readonly StateObject[];
  /** Each provider configuration once, in order. */
  readonly providers: readonly StateProviderAddress[];
  /** Omitted parts, each with the reason. */
  readonly leftOut: readonly string[];
}

/** Splits a state into its parts [TFF-5]. Data sources and objects that Terraform itself manages are omitted. */
export function stateContent(state: TerraformState): StateContent {
  const find = dependencyFinder(state);
  const objects: StateObject[] = [];
  const leftOut: string[] = [];
  const providers = new Map<string, StateProviderAddress>();
  for (const resource of state.resources) {
    for (const instance of resource.instances) {
      const { module, mode, type, name } = resource;
      const address = { module, mode, type, name, key: instance.key };
      const provider = instance.provider ?? resource.provider;
      const why = provider === undefined ? 'it has no provider' : notTaken(mode, provider);
      if (why !== undefined || provider === undefined) {
        leftOut.push(`${resourceAddressText(address)}: ${why ?? ''}`);
        continue;
      }
      providers.set(providerText(provider), provider);
      const text = `${resourceAddressText(address)}${instance.deposed === '' ? '' : ` (deposed ${instance.deposed})`}`;
      const dependencies = find(address, instance.dependencies);
      objects.push({ address, text, instance, provider, dependencies });
    }
  }
  return { objects, providers: [...providers.values()], leftOut };
}

/** Tells whether objects of a resource become resources of a stack. */
export function isAdopted({ mode, provider }: StateResource): boolean {
  return mode === 'managed' && provider?.source !== BUILT_IN;
}

function notTaken(mode: string, { source }: StateProviderAddress): string | undefined {
  if (mode === 'data') return 'programs read data sources, which no state contains';
  if (source === BUILT_IN) return 'Terraform manages it itself, without a provider';
  if (source.split('/')[1] === '-')
    return `the state does not contain the source of the provider ${providerTypeOf(source)}; run \`terraform state replace-provider ${source} registry.terraform.io/hashicorp/${providerTypeOf(source)}\` first`;
  return undefined;
}

/** Converts outputs of a state to values of programs. Numbers that programs cannot represent become texts. */
export function stateOutputs({ outputs }: TerraformState): PropertyMap {
  const made = newMap();
  for (const [name, { value, type, sensitive }] of outputs) {
    const parsed = parseType(jsonTreeText(type));
    const property = valueToProperty({ t: 'value', type: parsed }, fromJson(parsed, jsonTreeText(value)));
    made[name] = sensitive ? new Secret(property) : property;
  }
  return made;
}
