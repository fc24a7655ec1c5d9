import { createHash } from 'node:crypto';
import { providerText, resourceAddressText } from '../state-file/address.js';
import type { StateProviderAddress, ResourceAddress } from '../state-file/address.js';
import { parseJson } from '../state-file/json-tree.js';
import type { JsonMembers } from '../state-file/json-tree.js';
import type { StateInstance, StateResource } from '../state-file/model.js';
import { readInstance } from '../state-file/read-state.js';
import { groupOf } from './dependencies.js';
import { addressOfName, identifierLike, providerOfName } from './names.js';

/** A resource of a stack that becomes an object of a state. */
export interface GivenObject {
  readonly urn: string;
  /** Its name in the stack. */
  readonly name: string;
  /** The object as its property keeps it. Undefined if there is none: no Terraform provider manages it. */
  readonly stored: string | undefined;
  /** Full source of its provider. Undefined if the provider was given by a path. */
  readonly source: string | undefined;
  /** Name of its provider in the stack. Undefined for the default provider of every stack. */
  readonly provider: string | undefined;
  readonly tainted: boolean;
  /** True if it waits to be deleted. */
  readonly deposed: boolean;
  /** URNs of the dependencies. */
  readonly dependencies: readonly string[];
}

/** Resources of a state. */
export interface GivenResources {
  readonly resources: readonly StateResource[];
  /** Addresses by URN. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Omitted objects, each with the reason. */
  readonly leftOut: readonly string[];
}

/** An object with its place. */
interface Placed {
  readonly given: GivenObject;
  readonly stored: JsonMembers;
  readonly address: ResourceAddress;
  readonly provider: StateProviderAddress;
}

/**
 * Converts the resources of a stack to those of a state [TFF-6]. Names that no address results in are replaced by
 * similar ones.
 */
export function givenResources(objects: readonly GivenObject[]): GivenResources {
  const leftOut: string[] = [];
  const placed: Placed[] = [];
  const taken = new Set<string>();
  for (const given of inOrder(objects)) {
    const found = place(given, taken);
    if (typeof found === 'string') leftOut.push(`${given.urn}: ${found}`);
    else placed.push(found);
  }
  const present = placed.filter(({ given }) => !given.deposed);
  const addresses = new Map(present.map(({ given, address }) => [given.urn, resourceAddressText(address)]));
  const groups = new Map(present.map(({ given, address }) => [given.urn, groupOf(address)]));
  const resources = new Map<string, StateResource>();
  for (const each of placed) {
    const { module, mode, type, name } = each.address;
    const key = resourceAddressText({ ...each.address, key: undefined });
    const known = resources.get(key);
    const instances = [...(known?.instances ?? []), instanceOf(each, groups)];
    resources.set(
      key,
      known === undefined
        ? { module, mode, type, name, each: '', provider: each.provider, instances, more: new Map() }
        : { ...known, instances },
    );
  }
  return { resources: [...resources.values()], addresses, leftOut };
}

/** Sorts objects: those with an address of their own come first, and others give way. */
function inOrder(objects: readonly GivenObject[]): readonly GivenObject[] {
  const rank = ({ name, deposed }: GivenObject) =>
    (addressOfName('t', name) === undefined ? 2 : 0) + (deposed ? 1 : 0);
  return [...objects].sort((a, b) => rank(a) - rank(b));
}

/** Returns an object's place, or the reason why it has none. `taken` lists addresses, and providers of resources. */
function place(given: GivenObject, taken: Set<string>): Placed | string {
  const { stored: text, source, provider: named, name, deposed } = given;
  if (text === undefined) return 'it does not belong to a Terraform provider';
  if (source === undefined) return 'its provider was specified by a path, and so has no address';
  const stored = parseJson(text) as JsonMembers;
  const type = stored.get('type');
  if (typeof type !== 'string') return 'its stored state does not contain its type';
  const provider = providerFor(source, named);
  let address = addressOfName(type, name) ?? plainAddress(type, identifierLike(name));
  const isTaken = (found: ResourceAddress): boolean =>
    (!deposed && taken.has(resourceAddressText(found))) || isOfAnother(found, provider, taken);
  for (let count = 2; isTaken(address); count += 1)
    address = plainAddress(type, `${identifierLike(name)}_${count}`);
  if (!deposed) taken.add(resourceAddressText(address));
  taken.add(ownership(address, provider));
  taken.add(`${resourceAddressText({ ...address, key: undefined })} has a provider`);
  return { given, stored, address, provider };
}

const plainAddress = (type: string, name: string): ResourceAddress => ({
  ...{ module: [], mode: 'managed', type, name, key: undefined },
});

const ownership = (address: ResourceAddress, provider: StateProviderAddress): string =>
  `${resourceAddressText({ ...address, key: undefined })} of ${providerText(provider)}`;

/** Tells whether a resource at the address already has another provider: all its instances have the same one. */
function isOfAnother(address: ResourceAddress, provider: StateProviderAddress, taken: Set<string>): boolean {
  const has = taken.has(`${resourceAddressText({ ...address, key: undefined })} has a provider`);
  return has && !taken.has(ownership(address, provider));
}

function providerFor(source: string, named: string | undefined): StateProviderAddress {
  if (named === undefined) return { module: [], source, alias: '', key: undefined };
  return (
    providerOfName(source, named) ?? { module: [], source, alias: identifierLike(named), key: undefined }
  );
}

function instanceOf({ given, stored, address }: Placed, groups: ReadonlyMap<string, string>): StateInstance {
  const read = readInstance(new Map([...stored].filter(([name]) => name !== 'type')), given.urn);
  const own = given.dependencies.flatMap((urn) => groups.get(urn) ?? []);
  return {
    ...read,
    key: address.key,
    tainted: read.tainted || given.tainted,
    deposed: given.deposed ? read.deposed || deposedKey(given) : '',
    sensitive: read.sensitive ?? [],
    dependencies: stored.has('dependencies') ? read.dependencies : [...new Set(own)].sort(),
  };
}

/** Returns eight digits, the same ones each time. */
function deposedKey({ urn, stored = '' }: GivenObject): string {
  return createHash('sha256').update(`${urn}\n${stored}`).digest('hex').slice(0, 8);
}
