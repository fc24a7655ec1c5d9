import type { ConsolePolicyVerdict, ConsolePreviewStep } from '@cairn/http-api';

/** Kinds of steps that change nothing. */
const QUIET: ReadonlySet<string> = new Set(['same', 'refresh', 'read', 'read-replacement']);

/** Order of a plan: replacements and deletes first. */
const FIRST = [/replac/, /delete|discard/, /./] as const;

/** Steps and verdicts of a preview, as its client sent them. */
interface PreviewContents {
  readonly steps: readonly ConsolePreviewStep[];
  readonly policies: readonly ConsolePolicyVerdict[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the steps of a preview from its events, replacements and deletes first. The values in the events are left
 * out: a client may have sent secrets in them.
 */
export function previewContents(events: readonly object[]): PreviewContents {
  const steps = new Map<string, ConsolePreviewStep>();
  const policies: ConsolePolicyVerdict[] = [];
  for (const event of events) {
    const { resourcePreEvent, resOutputsEvent, policyEvent } = event as Fields;
    // What a refresh has found comes with its outputs.
    const step = stepOf(fields(resOutputsEvent ?? resourcePreEvent)['metadata']);
    if (step !== undefined && !QUIET.has(step.op)) {
      const key = `${step.urn} ${step.op}`;
      if (resOutputsEvent === undefined || !steps.has(key)) steps.set(key, step);
    }
    const verdict = verdictOf(fields(policyEvent));
    if (verdict !== undefined) policies.push(verdict);
  }
  const placeOf = ({ op }: ConsolePreviewStep): number => FIRST.findIndex((each) => each.test(op));
  return { steps: [...steps.values()].sort((one, other) => placeOf(one) - placeOf(other)), policies };
}

function stepOf(metadata: unknown): ConsolePreviewStep | undefined {
  const { op, urn, type, keys, diffs, detailedDiff, cairn } = fields(metadata);
  if (typeof op !== 'string' || typeof urn !== 'string') return undefined;
  const replaces = textsOf(keys);
  const { reason } = fields(cairn);
  const detailed = Object.entries(fields(detailedDiff)).map(([path, diff]) => ({
    ...{ path, kind: String(fields(diff)['diffKind'] ?? fields(diff)['kind'] ?? 'update') },
  }));
  const plain = textsOf(diffs).map((path) => ({ path, kind: 'update' }));
  return {
    ...{ urn, type: typeof type === 'string' ? type : '', op },
    ...(typeof reason === 'string' && { reason }),
    ...(replaces.length > 0 && { replaces }),
    differences: detailed.length > 0 ? detailed : plain,
  };
}

function verdictOf(event: Fields): ConsolePolicyVerdict | undefined {
  const { policyName, policyPackName, enforcementLevel, message, resourceUrn } = event;
  if (typeof policyName !== 'string') return undefined;
  return {
    ...{ policy: policyName, pack: String(policyPackName ?? ''), level: String(enforcementLevel ?? '') },
    ...{ message: String(message ?? ''), ...(typeof resourceUrn === 'string' && { urn: resourceUrn }) },
  };
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}
