import { blindingCrypter, nopCrypter } from '@cairn/crypters';
import { unreachable } from '@cairn/diagnostics';
import { STEP_KINDS, reasonText } from '@cairn/engine';
import type { EngineEvent, Reason, StepView } from '@cairn/engine';
import { ValueEncoder } from '@cairn/state';
import type { Json, JsonObject, ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import { policyEventJson } from './policy-json.js';
import { stripEscapes } from '../terminal/paint.js';

/** How events are written. */
export interface EventJsonStyle {
  readonly showSecrets: boolean;
}

/**
 * The body of one engine event in the exchange format (state.md 8.1): exactly one key. Undefined for events the format has no
 * word for. Secrets are masked unless shown.
 */
export function eventJson(event: EngineEvent, style: EventJsonStyle): JsonObject | undefined {
  switch (event.t) {
    case 'prelude':
      return { preludeEvent: { config: maskConfig(event.config, event.secretKeys) } };
    case 'step-started':
      return {
        resourcePreEvent: {
          metadata: stepJson(event.step, style),
          ...planning(event.planning),
          ...undoing(event),
        },
      };
    case 'step-ended':
    case 'outputs':
      return {
        resOutputsEvent: {
          metadata: stepJson(event.step, style),
          ...planning(event.planning),
          ...(event.t === 'step-ended' ? undoing(event) : {}),
        },
      };
    case 'step-failed':
      return {
        resOpFailedEvent: {
          metadata: stepJson(event.step, style),
          status: event.inDoubt ? 1 : 0,
          steps: 0,
          ...undoing(event),
        },
      };
    case 'diagnostic':
      return { diagnosticEvent: diagnosticJson(event) };
    case 'program-output':
      return { stdoutEvent: { message: stripEscapes(event.text), color: 'never' } };
    case 'policies-loading':
    case 'policy-violation':
    case 'policy-remediation':
    case 'policy-summary':
      return policyEventJson(event, style);
    case 'summary': {
      const { summary } = event;
      return {
        summaryEvent: {
          maybeCorrupt: false,
          durationSeconds: Math.ceil(summary.durationMs / 1000),
          resourceChanges: { ...summary.changes } as JsonObject,
          ...(summary.rollback === undefined ? {} : { rollback: { ...summary.rollback } }),
          PolicyPacks: { ...summary.policyPacks },
          isPreview: summary.preview,
          result: summary.result === 'cancelled' ? 'canceled' : summary.result,
        },
      };
    }
    default:
      return unreachable(event);
  }
}

/** Configuration of the run, secrets masked. */
export function maskConfig(
  config: Readonly<Record<string, string>>,
  secretKeys: readonly string[],
): JsonObject {
  const secret = new Set(secretKeys);
  return Object.fromEntries(
    Object.keys(config).map((key) => [key, secret.has(key) ? '[secret]' : (config[key] ?? '')]),
  );
}

/** A step as events carry it: its metadata, with the entries before and after. */
export function stepJson(step: StepView, style: EventJsonStyle): JsonObject {
  const op = step.kind === 'refresh' && step.refreshResult !== undefined ? step.refreshResult : step.kind;
  return {
    op,
    urn: step.urn,
    type: step.type,
    old: step.old === undefined ? null : entryJson(step.old, style),
    new: step.new === undefined ? null : entryJson(step.new, style),
    ...(step.replaceKeys.length === 0 ? {} : { keys: step.replaceKeys }),
    ...(step.changedKeys.length === 0 ? {} : { diffs: step.changedKeys }),
    detailedDiff: detailedDiffJson(step, 'diffKind'),
    ...(STEP_KINDS[step.kind].logical ? { logical: true } : {}),
    provider: step.provider ?? '',
    ...reasonJson(step.reason),
  };
}

/** Why the step exists: as a phrase, and as data under `why` with the sort of reason as `kind`. */
export function reasonJson(reason: Reason): JsonObject {
  const { t, ...rest } = reason;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { reason: reasonText(reason), why: { kind: t, ...(Object.fromEntries(given) as JsonObject) } };
}

/** Differences by path; `kindKey` is what the format calls the kind there. */
export function detailedDiffJson(step: StepView, kindKey: 'diffKind' | 'kind'): Json {
  const { detailedDiff } = step;
  if (detailedDiff === undefined) return null;
  return Object.fromEntries(
    Object.entries(detailedDiff).map(([path, { kind, inputDiff }]) => [path, { [kindKey]: kind, inputDiff }]),
  );
}

function entryJson(entry: ResourceEntry, style: EventJsonStyle): JsonObject {
  const encoder = new ValueEncoder(style.showSecrets ? nopCrypter : blindingCrypter, {
    showSecrets: style.showSecrets,
  });
  const flags = {
    custom: entry.custom,
    delete: entry.delete,
    protect: entry.protect,
    taint: entry.taint,
    external: entry.external,
    retainOnDelete: entry.retainOnDelete,
  };
  return {
    type: entry.type,
    urn: entry.urn,
    ...Object.fromEntries(Object.entries(flags).filter(([, on]) => on)),
    id: entry.id,
    parent: entry.parent ?? '',
    inputs: encoder.map(entry.inputs ?? emptyMap),
    outputs: encoder.map(entry.outputs ?? emptyMap),
    provider: entry.provider ?? '',
    ...(entry.initErrors.length === 0 ? {} : { initErrors: entry.initErrors }),
    ...(entry.hideDiffs.length === 0 ? {} : { hideDiffs: entry.hideDiffs }),
  };
}

function planning(on: boolean): JsonObject {
  return on ? { planning: true } : {};
}

/** Our own addition to the format: the step takes back what another one has done. */
function undoing(event: { readonly undo?: true | undefined }): JsonObject {
  return event.undo === true ? { undo: true } : {};
}

function diagnosticJson(event: Extract<EngineEvent, { t: 'diagnostic' }>): JsonObject {
  const { diagnostic, streamId, ephemeral } = event;
  const parts = [
    diagnostic.summary,
    ...(diagnostic.causes ?? []),
    ...(diagnostic.hint === undefined ? [] : [`hint: ${diagnostic.hint}`]),
  ];
  return {
    ...(diagnostic.urn === undefined ? {} : { urn: diagnostic.urn }),
    ...(diagnostic.severity === 'error' || diagnostic.severity === 'warning'
      ? { prefix: `${diagnostic.severity}[${diagnostic.code}]: ` }
      : {}),
    message: stripEscapes(parts.join('\n')),
    color: 'never',
    severity: diagnostic.severity,
    ...(streamId === 0 ? {} : { streamID: streamId }),
    ...(ephemeral ? { ephemeral: true } : {}),
  };
}
