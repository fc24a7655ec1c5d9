import {
  isProviderType,
  makeProviderReference,
  makeUrn,
  providerType,
  providerTypePackage,
  ROOT_STACK_TYPE,
  rootStackUrn,
  tokenPackage,
  UNKNOWN_ID,
  urnName,
  urnType,
} from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { cairnError, fail } from '@cairn/diagnostics';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { Cell } from '../../model/cell.js';
import type { Goal } from '../../model/goal.js';
import { goalOf } from '../../model/options.js';
import { importListed, sameStep } from '../../model/make-step.js';
import type { PostRegistration } from '../../model/registration.js';
import type { RequestedImport } from '../../model/request.js';
import { KnownPackages } from '../../monitor/packages.js';
import { postGoal, reportedAs } from '../../monitor/posting.js';
import { createDefaultProviders } from '../../providers/defaults.js';
import type { DefaultProviders } from '../../providers/defaults.js';
import { readPackage, withoutInternal, withPackageRequest } from '../../providers/package-request.js';
import type { PackageRequest } from '../../providers/package-request.js';
import type { Run } from '../run.js';
import { importOrder } from './import-list.js';
import type { ListedResource } from './import-list.js';

/** Parts that the import phase works with. `post`: registers the stack and missing providers as a program would. */
type ImportPhase = Pick<
  Run,
  'request' | 'ports' | 'chains' | 'recorder' | 'report' | 'control' | 'peers' | 'ledger'
> & {
  readonly post: PostRegistration;
};

/**
 * Runs the import command as one more source of registrations [IMP-2]. Everything in state remains as it is, and the
 * missing stack and providers are made. Then the list is imported, parents first and a level in parallel. Returns true
 * if all of it was imported.
 */
export async function importPhase(phase: ImportPhase): Promise<boolean> {
  const { request, chains, recorder, report } = phase;
  const { identity } = request;
  const root = rootStackUrn(identity.project, identity.stack);
  const order = importOrder(request.imports ?? [], identity, root, (urn) => recorder.live.live(urn)?.entry);
  if (order.t === 'refused') {
    for (const diagnostic of order.diagnostics) report.diagnostic(diagnostic);
    return false;
  }
  for (const cell of recorder.live.base) {
    if (!cell.gone && !cell.entry.delete)
      await chains.run([sameStep(cell, cell.entry, cell.entry, { t: 'kept' })]);
  }
  const listed = order.levels.flat();
  const made = new Set(listed.filter(isProvider).map(({ urn }) => urn));
  const isServedLater = ({ item }: ListedResource) => item.provider !== undefined && made.has(item.provider);
  const served = new ServedItems(phase);
  const entries = new Map<Urn, ResourceEntry>();
  const add = async (some: readonly ListedResource[]): Promise<void> => {
    for (const entry of await Promise.all(some.map((each) => served.entryOf(each))))
      entries.set(entry.urn, entry);
  };
  const begun = await unlessRefused(async () => {
    if (recorder.live.live(root) === undefined) await postGoal(phase.post, rootGoal(root));
    await add(listed.filter((each) => !isProvider(each) && !isServedLater(each)));
  });
  if (!begun) return false;
  for (const level of order.levels) {
    if (phase.control.stopped) return false;
    const ready = await unlessRefused(async () => {
      await Promise.all(level.filter(isProvider).map((each) => served.provide(each)));
      await add(level.filter(isServedLater));
    });
    if (!ready) return false;
    const looked = level.filter((each) => !isProvider(each));
    const steps = looked.map(({ urn, item }) => importListed(entries.get(urn) as ResourceEntry, item));
    const ends = await Promise.all(steps.map((step) => chains.run([step])));
    for (const end of ends) if (end.t === 'failed') report.diagnostic(end.diagnostic);
    if (ends.some(({ t }) => t !== 'done')) return false;
  }
  return true;
}

function isProvider({ item }: ListedResource): boolean {
  return isProviderType(item.type);
}

/** Runs the work. Returns false if the stack or a provider was refused; the refusal has been reported. */
async function unlessRefused(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (reportedAs(error) !== undefined) return false;
    throw error;
  }
}

function rootGoal(urn: Urn): Goal {
  return goalOf({ urn, type: ROOT_STACK_TYPE, name: urnName(urn), custom: false });
}

/** Finds the provider of each item, and makes the missing ones, each once. */
class ServedItems {
  readonly #defaults: DefaultProviders;
  readonly #packages: KnownPackages;
  readonly #made = new Map<Urn, Promise<ProviderReference>>();
  readonly #phase: ImportPhase;

  constructor(phase: ImportPhase) {
    this.#phase = phase;
    const { request, post, ports, peers } = phase;
    const { identity, config } = request;
    const recorded = (urn: Urn) => this.#recorded(urn);
    this.#defaults = createDefaultProviders({ identity, config, post, recorded });
    this.#packages = new KnownPackages(request.packages, ports.newId, (ref, extension) =>
      peers.providers.learn(ref, extension),
    );
  }

  /** Returns the entry that the import of an item begins with. */
  async entryOf({ item, urn, parent }: ListedResource): Promise<ResourceEntry> {
    const { type, component, remote, protect } = item;
    const bare = { urn, type, parent, protect, custom: !component };
    if (component && !remote) return resourceEntry(bare);
    const wanted = this.#package(item);
    const provider =
      item.provider === undefined
        ? await this.#defaults.reference(wanted, urn)
        : await this.#explicit(item.provider, wanted, urn);
    return resourceEntry({ ...bare, provider, extensionRef: wanted.extensionRef });
  }

  /** Makes a provider of the list with its settings. */
  async provide({ item, urn, parent }: ListedResource): Promise<void> {
    const settings = item.inputs ?? emptyMap;
    const wanted = this.#package(item);
    const { request, envVarMappings } = readPackage(wanted.package, settings);
    const inputs = withPackageRequest(
      withoutInternal(settings),
      {
        ...request,
        version: wanted.version || request.version,
        downloadUrl: wanted.downloadUrl || request.downloadUrl,
        parameterization: wanted.parameterization ?? request.parameterization,
      },
      envVarMappings,
    );
    const { type, name } = item;
    const below = urnType(parent) === ROOT_STACK_TYPE ? undefined : this.#knownParent(parent);
    const making = this.#post(goalOf({ urn, type, name, parent: below, custom: true, inputs }), urn);
    this.#made.set(urn, making);
    await making;
  }

  /** Counts a parent in the state as registered. */
  #knownParent(parent: Urn): Urn {
    const { ledger, recorder } = this.#phase;
    const { entry } = recorder.live.live(parent) as Cell;
    ledger.note({ t: 'ended', urn: parent, entry });
    return parent;
  }

  #package({ type, package: said }: RequestedImport): PackageRequest {
    const { version, downloadUrl, checksums, parameterization, extension } = said;
    const pkg = providerTypePackage(type) ?? tokenPackage(type);
    const name = parameterization?.base ?? pkg;
    const packageRef =
      parameterization === undefined && extension === undefined
        ? ''
        : this.#packages.register({ name, version, downloadUrl, checksums, parameterization, extension });
    const selector = { packageRef, version, pluginDownloadUrl: downloadUrl, pluginChecksums: checksums };
    return this.#packages.select(pkg, selector);
  }

  #recorded(urn: Urn): ProviderReference | undefined {
    const cell = this.#phase.recorder.live.live(urn);
    return cell === undefined || cell.entry.delete ? undefined : makeProviderReference(urn, cell.entry.id);
  }

  #explicit(urn: Urn, wanted: PackageRequest, neededBy: Urn): ProviderReference | Promise<ProviderReference> {
    const recorded = this.#recorded(urn);
    if (recorded !== undefined) return recorded;
    const known = this.#made.get(urn);
    if (known !== undefined) return known;
    const making = this.#make(urn, wanted, neededBy);
    this.#made.set(urn, making);
    return making;
  }

  /** Makes a provider that only the list names. It has no settings but the package it serves. */
  async #make(urn: Urn, wanted: PackageRequest, neededBy: Urn): Promise<ProviderReference> {
    const type = urnType(urn);
    const { stack, project } = this.#phase.request.identity;
    const name = urnName(urn);
    if (
      providerTypePackage(type) !== wanted.package ||
      urn !== makeUrn({ stack, project, type: providerType(wanted.package), name })
    ) {
      fail('CAIRN-PROVIDER-REFERENCE', `unknown provider ${urn} of ${neededBy}`, {
        urn: neededBy,
        hint: `Name a provider of the package ${wanted.package} that is in this stack.`,
      });
    }
    const inputs = withPackageRequest(emptyMap, wanted, {});
    return this.#post(goalOf({ urn, type, name, custom: true, inputs }), neededBy);
  }

  async #post(goal: Goal, neededBy: Urn): Promise<ProviderReference> {
    const { urn } = goal;
    const answer = await postGoal(this.#phase.post, goal);
    if (answer.result !== 'success') {
      throw cairnError('CAIRN-PROVIDER-REFERENCE', `the provider ${urn} could not be created`, {
        urn: neededBy,
      });
    }
    return makeProviderReference(urn, answer.id || UNKNOWN_ID);
  }
}
