import { asUrn, isUrn, urnType } from '@cairn/addresses';
import type { DriftedResource } from './rows.js';

interface StepMetadata {
  readonly op: string;
  readonly urn: string;
  readonly old?: { readonly outputs?: object; readonly inputs?: object } | null;
  readonly new?: { readonly outputs?: object; readonly inputs?: object } | null;
  readonly detailedDiff?: Readonly<Record<string, unknown>> | null;
}

/** Parts of an event of an operation that drift is read from. */
export interface EventParts {
  readonly resOutputsEvent?: { readonly metadata?: StepMetadata | null } | null;
  readonly diagnosticEvent?: DiagnosticEvent | null;
}

/** Returns the metadata of the steps that ended in the events of an operation, the last one of each resource. */
export function endedSteps(events: Iterable<EventParts>): readonly StepMetadata[] {
  return [...partsOf(events).steps.values()];
}

/** Most messages about a resource, and most characters of one, that a drift keeps. */
const MESSAGES = 3;
const LONGEST = 200;
/** Most properties of a resource that a drift keeps. */
const MOST_KEYS = 100;

interface Parts {
  readonly steps: ReadonlyMap<string, StepMetadata>;
  /** Messages of providers, by resource. Errors and warnings of Cairn itself are left out. */
  readonly messages: ReadonlyMap<string, readonly string[]>;
}

function partsOf(events: Iterable<EventParts>): Parts {
  const steps = new Map<string, StepMetadata>();
  const messages = new Map<string, readonly string[]>();
  for (const { resOutputsEvent, diagnosticEvent: event } of events) {
    const metadata = resOutputsEvent?.metadata;
    // Events of a service come from any client.
    if (typeof metadata?.urn === 'string') steps.set(metadata.urn, metadata);
    if (typeof event?.urn !== 'string' || event.severity !== 'info' || event.ephemeral === true) continue;
    const text = String(event.message ?? '')
      .replace(/<\{%.*?%\}>/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    const known = messages.get(event.urn) ?? [];
    if (text !== '' && known.length < MESSAGES) messages.set(event.urn, [...known, text.slice(0, LONGEST)]);
  }
  return { steps, messages };
}

interface DiagnosticEvent {
  readonly urn?: string;
  readonly severity?: string;
  readonly message?: string;
  readonly ephemeral?: boolean;
}

/** Returns the resources that a refresh found to differ, from its events. */
export function driftOfEvents(events: Iterable<EventParts>): readonly Omit<DriftedResource, 'since'>[] {
  const { steps, messages } = partsOf(events);
  return [...steps.values()].flatMap((metadata) => {
    const { urn, op } = metadata;
    if (op !== 'update' && op !== 'delete') return [];
    return [
      {
        urn,
        type: isUrn(urn) ? urnType(asUrn(urn)) : '',
        kind: op,
        keys: op === 'update' ? differingKeys(metadata).slice(0, MOST_KEYS) : [],
        ...(messages.has(urn) && { says: messages.get(urn) as readonly string[] }),
      },
    ];
  });
}

function differingKeys({ old, new: found, detailedDiff }: StepMetadata): readonly string[] {
  const detailed = Object.keys(detailedDiff ?? {});
  if (detailed.length > 0) return detailed.sort();
  const keys = new Set<string>();
  for (const part of ['inputs', 'outputs'] as const) {
    const [before, after] = [
      (old?.[part] ?? {}) as Record<string, unknown>,
      (found?.[part] ?? {}) as Record<string, unknown>,
    ];
    for (const key of Object.keys({ ...before, ...after }))
      if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) keys.add(key);
  }
  return [...keys].sort();
}

/** Adds the time at which each resource was first found to differ. `known` is the result of the run before. */
export function driftSince(
  found: readonly Omit<DriftedResource, 'since'>[],
  known: readonly DriftedResource[],
  now: string,
): readonly DriftedResource[] {
  const since = new Map(known.map((resource) => [resource.urn, resource.since]));
  return found.map((resource) => ({ ...resource, since: since.get(resource.urn) ?? now }));
}

/** Returns the names of up to five resources that differ, each with its messages, as one line. */
export function driftNames(resources: readonly DriftedResource[]): string {
  const names = resources.slice(0, 5).map(({ urn, kind, says = [] }) => {
    const words = [kind, ...says].join('; ');
    return `${urn.slice(urn.lastIndexOf('::') + 2)} (${words})`;
  });
  return resources.length > 5 ? `${names.join(', ')} and ${resources.length - 5} more` : names.join(', ');
}
