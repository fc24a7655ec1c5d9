import { isDefaultProviderName, isProviderType, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { notRegistered, pastRegistrations } from '../decide/continued.js';
import type { BegunProvider, ContinuedView, PastRegistration } from '../decide/facts.js';
import { goalDigest } from '../model/goal-digest.js';
import { changeLabel } from '../model/history.js';
import type { PastTask } from '../model/history.js';
import type { OperationRequest } from '../model/request.js';

/** The lineage that a resume continues, in the form that the phases of the operation need. */
export interface ContinuedLineage {
  readonly view: ContinuedView;
  /** Resources that an earlier change has read already, because the user requested that. */
  readonly lookedUp: ReadonlySet<Urn>;
  /**
   * Returns diagnostics for resources of the lineage that the program has left out. Called once the program has ended.
   */
  leftOut(isRegistered: (urn: Urn) => boolean): readonly Diagnostic[];
}

/**
 * Returns the lineage of a resume, or `undefined` for an operation that resumes nothing. `settled`: findings of the
 * operation about steps in doubt.
 */
export function continuedLineage(
  { continues, goalKey, base }: Pick<OperationRequest, 'continues' | 'goalKey' | 'base'>,
  settled: ReadonlyMap<string, string>,
): ContinuedLineage | undefined {
  if (continues?.how !== 'resume') return undefined;
  const origin = changeLabel(continues.origin);
  const registrations: ReadonlyMap<Urn, PastRegistration> = pastRegistrations(continues.past, settled);
  return {
    view: {
      origin,
      past: (urn) => registrations.get(urn),
      digest: (goal, like) => goalKey && goalDigest(goal, goalKey, like),
      providers: begunProviders(base.resources, registrations),
      registered: continues.registered === true,
    },
    lookedUp: new Set(continues.past.filter(isLookedUp).map(({ urn }) => urn)),
    leftOut: (isRegistered) => notRegistered(registrations, origin, isRegistered),
  };
}

/** Returns the URNs on which the lineage has begun any step. A plan has judged them before. */
export function begunUrns({ continues }: Pick<OperationRequest, 'continues'>): ReadonlySet<Urn> {
  return new Set(continues?.how === 'resume' ? continues.past.map(({ urn }) => urn) : []);
}

/** Returns the providers that the lineage created, as they are in the state. */
function begunProviders(
  resources: readonly ResourceEntry[],
  registrations: ReadonlyMap<Urn, PastRegistration>,
): readonly BegunProvider[] {
  return resources
    .filter(({ urn, type }) => isProviderType(type) && registrations.has(urn))
    .map(({ urn, type, inputs }) => ({
      urn,
      type,
      version: typeof inputs['version'] === 'string' ? inputs['version'] : undefined,
      isDefault: isDefaultProviderName(urnName(urn)),
    }));
}

function isLookedUp({ kind, status }: PastTask): boolean {
  return kind === 'refresh' && status === 'done';
}
