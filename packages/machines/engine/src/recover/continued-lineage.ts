import { isDefaultProviderName, isProviderType, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { notRegistered, pastRegistrations } from '../decide/continued.js';
import type { BegunProvider, ContinuedView, PastRegistration } from '../decide/facts.js';
import { goalDigest } from '../model/goal-digest.js';
import { changeName } from '../model/history.js';
import type { PastTask } from '../model/history.js';
import type { OperationRequest } from '../model/request.js';

/** The lineage that a resume goes on with, as the phases of the operation need it. */
export interface ContinuedLineage {
  readonly view: ContinuedView;
  /** Resources that an earlier change has looked up already, because the user wanted that. */
  readonly lookedUp: ReadonlySet<Urn>;
  /** What the program has left out of what the lineage brought about; asked once it has ended. */
  leftOut(isRegistered: (urn: Urn) => boolean): readonly Diagnostic[];
}

/**
 * Undefined for an operation that resumes nothing. `settled`: what the operation has found out about steps in doubt.
 */
export function continuedLineage(
  { continues, goalKey, base }: Pick<OperationRequest, 'continues' | 'goalKey' | 'base'>,
  settled: ReadonlyMap<string, string>,
): ContinuedLineage | undefined {
  if (continues?.how !== 'resume') return undefined;
  const origin = changeName(continues.origin);
  const registrations: ReadonlyMap<Urn, PastRegistration> = pastRegistrations(continues.past, settled);
  return {
    view: {
      origin,
      past: (urn) => registrations.get(urn),
      digest: (goal) => goalKey && goalDigest(goal, goalKey),
      providers: begunProviders(base.resources, registrations),
      registered: continues.registered === true,
    },
    lookedUp: new Set(continues.past.filter(isLookedUp).map(({ urn }) => urn)),
    leftOut: (isRegistered) => notRegistered(registrations, origin, isRegistered),
  };
}

/** URNs of which the lineage has begun anything; a plan has judged them before. */
export function begunUrns({ continues }: Pick<OperationRequest, 'continues'>): ReadonlySet<Urn> {
  return new Set(continues?.how === 'resume' ? continues.past.map(({ urn }) => urn) : []);
}

/** Providers that the lineage has brought about, as the state has them. */
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
