import { makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { optionalUrn } from './refusal.js';
import type { Arrival, RegisteredResources } from './resources.js';
import type { MonitorContext } from './monitor-context.js';

/**
 * Tells whether everything that a question depends on exists [INV-2]. A component represents the custom resources below
 * it, reached through components only. Waits for pending work below such a component. URNs that this run does not know
 * are ignored. `parent`: that of the question. A constructor above it is not waited for, because it may itself wait for
 * the answer.
 */
export async function dependenciesExist(
  urns: readonly Urn[],
  parent: Urn | undefined,
  context: Pick<MonitorContext, 'resources' | 'identity' | 'intake'>,
): Promise<boolean> {
  const { resources } = context;
  const above = ancestors(parent, resources);
  const seen = new Set(urns);
  for (const urn of seen) {
    const record = resources.get(urn);
    if (record === undefined) continue;
    if (record.custom) {
      await record.settled;
      if (!record.created) return false;
      continue;
    }
    await arrivalsBelow(urn, above, context);
    for (const child of resources.children(urn)) seen.add(child.urn);
  }
  return true;
}

/** Resolves when nothing is under way directly below a component. Later arrivals are waited for as well. */
async function arrivalsBelow(
  urn: Urn,
  above: ReadonlySet<Urn>,
  context: Pick<MonitorContext, 'resources' | 'identity' | 'intake'>,
): Promise<void> {
  for (;;) {
    context.intake?.letAllIn();
    const open = context.resources
      .arrivals(urn)
      .filter((arrival) => !above.has(arrivingUrn(arrival, context)));
    if (open.length === 0) return;
    await Promise.allSettled(open.map(({ ended }) => ended));
  }
}

function arrivingUrn({ request }: Arrival, { identity }: Pick<MonitorContext, 'identity'>): Urn {
  const { type, name } = request;
  const { stack, project } = identity;
  return makeUrn({ stack, project, type, name, parent: optionalUrn(request.parent, 'parent') });
}

function ancestors(urn: Urn | undefined, resources: RegisteredResources): ReadonlySet<Urn> {
  const found = new Set<Urn>();
  for (let at = urn; at !== undefined && !found.has(at); at = resources.get(at)?.parent) found.add(at);
  return found;
}
