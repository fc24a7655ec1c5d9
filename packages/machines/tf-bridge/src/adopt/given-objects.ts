import { createHash } from 'node:crypto';
import { providerText, resourceText } from '../state-file/address.js';
import type { ProviderAddress, ResourceAddress } from '../state-file/address.js';
import { parseJson } from '../state-file/json-tree.js';
import type { JsonMembers } from '../state-file/json-tree.js';
import type { StateInstance, StateResource } from '../state-file/model.js';
import { readInstance } from '../state-file/read-state.js';
import { groupOf } from './dependencies.js';
import { addressOfName, identifierLike, providerOfName } from './names.js';

/** A resource of a stack that is to be an object of a state. */
export interface GivenObject {
  readonly urn: string;
  /** Its name in the stack. */
  readonly name: string;
  /** What its property keeps of the object; undefined: nothing, so it is none of a Terraform provider. */
  readonly stored: string | undefined;
  /** Source of its provider in full; undefined: it was given by a path. */
  readonly source: string | undefined;
  /** Name of its provider in the stack; undefined: the one that every stack has. */
  readonly provider: string | undefined;
  readonly tainted: boolean;
  /** It waits to be deleted. */
  readonly deposed: boolean;
  /** URNs. */
  readonly dependencies: readonly string[];
}

/** Resources of a state. */
export interface GivenResources {
  readonly resources: readonly StateResource[];
  /** Addresses by URN. */
  readonly addresses: ReadonlyMap<string, string>;
  /** What is not among them, each with why. */
  readonly leftOut: readonly string[];
}

/** An object on its way. */
interface Placed {
  readonly given: GivenObject;
  readonly stored: JsonMembers;
  readonly address: ResourceAddress;
  readonly provider: ProviderAddress;
}

/** The resources of a state from those of a stack [TFF-6]. Names that no address gives become like one. */
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
  const addresses = new Map(present.map(({ given, address }) => [given.urn, resourceText(address)]));
  const groups = new Map(present.map(({ given, address }) => [given.urn, groupOf(address)]));
  const resources = new Map<string, StateResource>();
  for (const each of placed) {
    const { module, mode, type, name } = each.address;
    const key = resourceText({ ...each.address, key: undefined });
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

/** Those that have an address of their own come first: others give way. */
function inOrder(objects: readonly GivenObject[]): readonly GivenObject[] {
  const rank = ({ name, deposed }: GivenObject) =>
    (addressOfName('t', name) === undefined ? 2 : 0) + (deposed ? 1 : 0);
  return [...objects].sort((a, b) => rank(a) - rank(b));
}

/** Where an object belongs, or why it belongs nowhere. `taken`: addresses, and providers of resources. */
function place(given: GivenObject, taken: Set<string>): Placed | string {
  const { stored: text, source, provider: named, name, deposed } = given;
  if (text === undefined) return 'it is none of a Terraform provider';
  if (source === undefined) return 'its provider was given by a path, and so has no address';
  const stored = parseJson(text) as JsonMembers;
  const type = stored.get('type');
  if (typeof type !== 'string') return 'what is kept of it does not say its type';
  const provider = providerFor(source, named);
  let address = addressOfName(type, name) ?? plainAddress(type, identifierLike(name));
  const isTaken = (found: ResourceAddress): boolean =>
    (!deposed && taken.has(resourceText(found))) || isOfAnother(found, provider, taken);
  for (let count = 2; isTaken(address); count += 1)
    address = plainAddress(type, `${identifierLike(name)}_${count}`);
  if (!deposed) taken.add(resourceText(address));
  taken.add(ownership(address, provider));
  taken.add(`${resourceText({ ...address, key: undefined })} has a provider`);
  return { given, stored, address, provider };
}

const plainAddress = (type: string, name: string): ResourceAddress => ({
  ...{ module: [], mode: 'managed', type, name, key: undefined },
});

const ownership = (address: ResourceAddress, provider: ProviderAddress): string =>
  `${resourceText({ ...address, key: undefined })} of ${providerText(provider)}`;

/** All instances of a resource have one provider. */
function isOfAnother(address: ResourceAddress, provider: ProviderAddress, taken: Set<string>): boolean {
  const has = taken.has(`${resourceText({ ...address, key: undefined })} has a provider`);
  return has && !taken.has(ownership(address, provider));
}

function providerFor(source: string, named: string | undefined): ProviderAddress {
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

/** Eight digits, the same ones each time. */
function deposedKey({ urn, stored = '' }: GivenObject): string {
  return createHash('sha256').update(`${urn}\n${stored}`).digest('hex').slice(0, 8);
}
