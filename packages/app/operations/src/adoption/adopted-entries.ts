import {
  ROOT_STACK_TYPE,
  isProviderType,
  makeProviderReference,
  makeUrn,
  providerType,
  rootStackUrn,
  urnType,
} from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { CairnError, errorDiagnostic } from '@cairn/diagnostics';
import { defaultProviderInputs, defaultProviderName } from '@cairn/engine';
import type { OperationConfig, OperationIdentity, PackageRequest } from '@cairn/engine';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { withoutProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/** Object of another tool as a resource, independent of the target stack. */
export interface AdoptedObject {
  /** Address in the other tool. */
  readonly address: string;
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  /** True if it is to be replaced. */
  readonly tainted: boolean;
  /** True if it is to be deleted, beside the object that has replaced it. */
  readonly deposed: boolean;
  /** Index in {@link Adoption.providers} of the provider that manages it. */
  readonly provider: number;
  /** Addresses of objects it depends on; addresses without an object are ignored. */
  readonly dependencies: readonly string[];
}

/** A configuration of a provider that comes with the objects. */
export interface AdoptedProvider {
  readonly package: PackageRequest;
  /**
   * Name of the provider. `undefined` means the default provider of the package, with the settings of the stack's
   * configuration.
   */
  readonly name: string | undefined;
}

/** Contents to be added to a stack. */
export interface Adoption {
  readonly objects: readonly AdoptedObject[];
  readonly providers: readonly AdoptedProvider[];
  /** Outputs of the stack, used if it has none. */
  readonly outputs: PropertyMap;
  readonly protect: boolean;
}

/** Target stack of an adoption. */
export interface Adopter {
  readonly identity: OperationIdentity;
  readonly config: OperationConfig;
  /** Entries that it already has. */
  readonly entries: readonly ResourceEntry[];
  readonly newId: () => string;
}

/** Entries of an adoption. */
interface AdoptedEntries {
  /** Entries to add to the stack, in no order. Empty if the stack already has all of them under the same ids. */
  readonly added: readonly ResourceEntry[];
  /** Entries of the objects and of their providers. */
  readonly entries: readonly ResourceEntry[];
  /** URN of each object's entry, in the order of the objects. */
  readonly urns: readonly Urn[];
}

/**
 * Returns the entries that an adoption adds to a stack [TFF-5]. Existing providers of the stack are used. Throws
 * CAIRN-TERRAFORM-STATE for every object whose URN the stack has, or that shares one with another. An adoption that was
 * already made, as a whole, adds nothing.
 */
export function adoptedEntries(adoption: Adoption, adopter: Adopter): AdoptedEntries {
  const { project, stack } = adopter.identity;
  const { entries } = adopter;
  const urns = adoption.objects.map(({ type, name }) => makeUrn({ project, stack, type, name }));
  const known = knownEntries(adoption.objects, urns, entries);
  if (known !== undefined) return { added: [], entries: known, urns };
  refuseTaken(adoption.objects, urns, entries);
  const providers = adoption.providers.map((each) => adoptedProvider(each, adopter));
  const byAddress = presentUrns(adoption.objects, urns);
  const objects = adoption.objects.map((object, at) =>
    resourceEntry({
      urn: urns[at] as Urn,
      type: object.type,
      custom: true,
      id: object.id,
      inputs: object.inputs,
      outputs: object.outputs,
      parent: rootStackUrn(project, stack),
      provider: providers[object.provider]?.reference,
      delete: object.deposed,
      taint: object.tainted && !object.deposed,
      protect: adoption.protect && !object.deposed,
      dependencies: dependenciesOf(object, byAddress),
    }),
  );
  const made = new Map(providers.flatMap(({ entry, isNew }) => (isNew ? [[entry.urn, entry] as const] : [])));
  return {
    added: [...rootEntry(adoption, adopter), ...made.values(), ...objects],
    entries: [...new Set(providers.map(({ entry }) => entry)), ...objects],
    urns,
  };
}

/** Returns the entries of the objects and their providers, if the stack has every one of them under its id. */
function knownEntries(
  objects: readonly AdoptedObject[],
  urns: readonly Urn[],
  entries: readonly ResourceEntry[],
): readonly ResourceEntry[] | undefined {
  const byUrn = new Map(entries.filter((entry) => !entry.delete).map((entry) => [entry.urn, entry]));
  const known = objects.flatMap(({ id, deposed }, at) => {
    const entry = deposed ? undefined : byUrn.get(urns[at] as Urn);
    return entry?.id === id ? [entry] : [];
  });
  if (known.length === 0 || known.length < objects.filter(({ deposed }) => !deposed).length) return undefined;
  const providers = new Set(known.map(({ provider }) => provider));
  const theirs = entries.filter(
    ({ urn, id }) => isProviderType(urnType(urn)) && providers.has(makeProviderReference(urn, id)),
  );
  return [...theirs, ...known];
}

/** Returns the URNs of the present objects by their addresses. */
function presentUrns(objects: readonly AdoptedObject[], urns: readonly Urn[]): ReadonlyMap<string, Urn> {
  return new Map(
    objects.flatMap(({ address, deposed }, at) => (deposed ? [] : [[address, urns[at] as Urn] as const])),
  );
}

/**
 * Returns the dependencies of an object. An object that waits to be deleted has none, because they may be deleted
 * first.
 */
function dependenciesOf(
  { dependencies, deposed }: AdoptedObject,
  byAddress: ReadonlyMap<string, Urn>,
): readonly Urn[] {
  return deposed ? [] : dependencies.flatMap((address) => byAddress.get(address) ?? []);
}

function rootEntry({ outputs }: Adoption, { identity, entries }: Adopter): readonly ResourceEntry[] {
  const urn = rootStackUrn(identity.project, identity.stack);
  if (entries.some((entry) => entry.urn === urn)) return [];
  return [resourceEntry({ urn, type: ROOT_STACK_TYPE, custom: false, outputs })];
}

/** Returns a provider's entry, that of the stack if it has one. */
function adoptedProvider(
  { package: wanted, name }: AdoptedProvider,
  { identity, config, entries, newId }: Adopter,
): { readonly reference: ProviderReference; readonly entry: ResourceEntry; readonly isNew: boolean } {
  const { project, stack } = identity;
  const type = providerType(wanted.package);
  const urn = makeUrn({ project, stack, type, name: name ?? defaultProviderName(wanted) });
  const known = entries.find((entry) => entry.urn === urn && !entry.delete);
  if (known !== undefined)
    return { reference: makeProviderReference(urn, known.id), entry: known, isNew: false };
  const inputs = defaultProviderInputs(wanted, name === undefined ? config : NO_CONFIG);
  const id = newId();
  const outputs = withoutProperty(inputs, '__internal');
  return {
    reference: makeProviderReference(urn, id),
    entry: resourceEntry({ urn, type, custom: true, id, inputs, outputs }),
    isNew: true,
  };
}

/**
 * Configuration without settings. Settings of a provider that is not the stack's default are in no state: the program
 * sets them.
 */
const NO_CONFIG: OperationConfig = { values: {}, secretKeys: [] };

function refuseTaken(
  objects: readonly AdoptedObject[],
  urns: readonly Urn[],
  entries: readonly ResourceEntry[],
): void {
  const taken = new Set<string>(entries.map(({ urn }) => urn));
  const mine = new Map<string, string>();
  const problems = objects.flatMap(({ address, deposed }, at) => {
    const urn = urns[at] as Urn;
    if (taken.has(urn)) return [problem(`the stack already has a resource for ${address}`, urn)];
    const other = deposed ? undefined : mine.get(urn);
    if (!deposed) mine.set(urn, address);
    return other === undefined ? [] : [problem(`${address} and ${other} would be one resource`, urn)];
  });
  if (problems.length > 0) throw new CairnError(problems);
}

function problem(summary: string, urn: Urn) {
  return errorDiagnostic('CAIRN-TERRAFORM-STATE', summary, {
    urn,
    hint: 'Nothing was changed. Take the state into another stack, or remove the resource with `cairn state delete` first.',
  });
}
