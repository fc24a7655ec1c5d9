import { blindingCrypter, nopCrypter } from '@cairn/crypters';
import { unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { STEP_KINDS, operationName, reasonText } from '@cairn/engine';
import type { EngineEvent, Reason, StepView } from '@cairn/engine';
import { ValueEncoder, goStruct, isJsonObject, writtenPaths } from '@cairn/state';
import type { Json, JsonObject, ResourceEntry } from '@cairn/state';
import { withoutContents, withoutOwnState } from './elided-contents.js';
import type { EventJsonStyle } from './display.js';
import { policyEventJson } from './policy-json.js';
import type { ProgramLine } from './program-lines.js';
import { plainJson, resourceChanges } from '@cairn/operations';
import { stripMarkup } from '../terminal/paint.js';

/** Events that have one body each; what a program writes becomes as many as it has lines. */
export type BodiedEvent = Exclude<EngineEvent, { readonly t: 'program-output' }>;

/**
 * The body of one engine event in the exchange format [EVT-2]: exactly one key, fields in the order of the format,
 * steps as ExchangeSteps tells them. What the format has no field for stands in a member `cairn`, the last one.
 * Undefined for events the format has no word for. Secrets are masked unless shown.
 */
export function eventJson(
  event: BodiedEvent,
  style: EventJsonStyle,
  progress: EventProgress,
): JsonObject | undefined {
  switch (event.t) {
    case 'prelude':
      return { preludeEvent: { config: maskConfig(event.config, event.secretKeys) } };
    case 'step-started':
      return {
        resourcePreEvent: goStruct({
          metadata: stepJson(event.step, style),
          ...planning(event.planning),
          ...undoing(event),
        }),
      };
    case 'step-ended':
      return event.planning || hasOutputs(event.step) ? outputsJson(event, style) : undefined;
    case 'outputs':
      return outputsJson(event, style);
    case 'step-failed':
      if (event.planning === true) return undefined;
      return {
        resOpFailedEvent: goStruct({
          metadata: stepJson(event.step, style),
          status: event.inDoubt ? STATUS_UNKNOWN : STATUS_OK,
          steps: progress.ended,
          ...undoing(event),
        }),
      };
    case 'diagnostic':
      return { diagnosticEvent: diagnosticJson(event) };
    case 'debugging-started':
      return { startDebuggingEvent: goStruct({ config: plainJson(event.config, false) }) };
    case 'policies-loading':
    case 'policy-violation':
    case 'policy-remediation':
    case 'policy-summary':
      return policyEventJson(event, style);
    case 'summary': {
      const { summary } = event;
      return {
        summaryEvent: goStruct({
          maybeCorrupt: progress.inDoubt,
          durationSeconds: Math.ceil(summary.durationMs / 1000),
          resourceChanges: resourceChanges(summary),
          PolicyPacks: { ...summary.policyPacks },
          isPreview: summary.preview,
          result: summary.result === 'cancelled' ? 'canceled' : summary.result,
          ...(summary.rollback === undefined ? {} : ours({ rollback: { ...summary.rollback } })),
        }),
      };
    }
    default:
      return unreachable(event);
  }
}

/**
 * How far an operation has come when an event is written: steps that have ended, and whether the outcome of one is not
 * known.
 */
interface EventProgress {
  readonly ended: number;
  readonly inDoubt: boolean;
}

/** What a provider's failure says about the object: it is as it was, or nobody knows. */
const STATUS_OK = 0;
const STATUS_UNKNOWN = 2;

/** A text of the format: without what steers terminals, and without colour directives, as `color` says. */
export function textJson(text: string): JsonObject {
  return goStruct({ message: stripMarkup(text), color: 'never' });
}

/** Whether the end of a step is told as outputs: components tell theirs by registering them [EVT-2]. */
function hasOutputs({ kind, old, new: entry }: StepView): boolean {
  if (entry === undefined || kind === 'refresh') return true;
  return entry.custom || entry.viewOf !== undefined || old?.viewOf !== undefined;
}

function outputsJson(
  event: Extract<EngineEvent, { t: 'step-ended' | 'outputs' }>,
  style: EventJsonStyle,
): JsonObject {
  return {
    resOutputsEvent: goStruct({
      metadata: stepJson(event.step, style, 'ended'),
      ...planning(event.planning),
      ...(event.t === 'step-ended' ? undoing(event) : {}),
    }),
  };
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

/**
 * A step as events carry it: its metadata, with the entries before and after. What a refresh operation looks up ends as
 * what it found.
 */
export function stepJson(step: StepView, style: EventJsonStyle, when?: 'ended'): JsonObject {
  const found = when === 'ended' && style.operation === 'refresh' ? step.refreshResult : undefined;
  return goStruct({
    op: operationName(found ?? step.kind),
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
  });
}

/**
 * The member of what is ours alone, so that everything else can be compared byte for byte with what other tools write.
 */
function ours(fields: JsonObject): JsonObject {
  return { cairn: goStruct(fields) };
}

/** The body of an event without that member, for readers that hold every line against one of the format. */
export function withoutOurs(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([key, event]) => {
      if (!isJsonObject(event)) return [key, event];
      const { metadata } = event;
      const fields = withoutMember(event);
      return [
        key,
        isJsonObject(metadata) ? goStruct({ ...fields, metadata: withoutMember(metadata) }) : fields,
      ];
    }),
  );
}

function withoutMember(fields: JsonObject): JsonObject {
  return goStruct(Object.fromEntries(Object.entries(fields).filter(([key]) => key !== 'cairn')));
}

/** Why the step exists: as a phrase, and as data under `why` with the sort of reason as `kind`. */
export function reasonJson(reason: Reason): JsonObject {
  const { t, ...rest } = reason;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return ours({
    reason: reasonText(reason),
    why: goStruct({ kind: t, ...(Object.fromEntries(given) as JsonObject) }),
  });
}

/** Differences by path; `kindKey` is what the format calls the kind there. */
export function detailedDiffJson(step: StepView, kindKey: 'diffKind' | 'kind'): Json {
  const { detailedDiff } = step;
  if (detailedDiff === undefined) return null;
  return Object.fromEntries(
    Object.entries(detailedDiff).map(([path, { kind, inputDiff }]) => [
      path,
      goStruct({ [kindKey]: kind, inputDiff }),
    ]),
  );
}

function entryJson(entry: ResourceEntry, style: EventJsonStyle): JsonObject {
  const encoder = new ValueEncoder(style.showSecrets ? nopCrypter : blindingCrypter, {
    showSecrets: style.showSecrets,
  });
  return goStruct({
    type: entry.type,
    urn: entry.urn,
    ...(entry.custom ? { custom: true } : {}),
    ...(entry.delete ? { delete: true } : {}),
    id: entry.id,
    parent: entry.parent ?? '',
    ...(entry.protect ? { protect: true } : {}),
    ...(entry.taint ? { taint: true } : {}),
    ...(entry.external ? { external: true } : {}),
    ...(entry.retainOnDelete ? { retainOnDelete: true } : {}),
    inputs: encoder.map(withoutContents(entry.inputs)),
    outputs: encoder.map(withoutContents(withoutOwnState(entry.outputs))),
    provider: entry.provider ?? '',
    ...(entry.initErrors.length === 0 ? {} : { initErrors: entry.initErrors }),
    ...(entry.hideDiffs.length === 0 ? {} : { hideDiffs: writtenPaths(entry.hideDiffs) }),
  });
}

function planning(on: boolean): JsonObject {
  return on ? { planning: true } : {};
}

/** The step undoes what another one has done. */
function undoing(event: { readonly undo?: true | undefined }): JsonObject {
  return event.undo === true ? ours({ undo: true }) : {};
}

function diagnosticJson({
  diagnostic,
  streamId,
  ephemeral,
}: Extract<EngineEvent, { t: 'diagnostic' }>): JsonObject {
  const { urn, severity } = diagnostic;
  const prefix = messagePrefix(diagnostic);
  return goStruct({
    ...(urn === undefined ? {} : { urn }),
    ...(prefix === '' ? {} : { prefix }),
    ...textJson(messageText(diagnostic)),
    severity,
    ...(streamId === 0 ? {} : { streamID: streamId }),
    ...(ephemeral ? { ephemeral: true } : {}),
    ...codeJson(diagnostic),
  });
}

/** What a program has written, as an event. */
export function programLineJson({ message, severity }: ProgramLine): JsonObject {
  return { diagnosticEvent: goStruct({ ...textJson(message), severity }) };
}

/** The code of an error or a warning; what is only said has none. */
export function codeJson({ severity, code }: Diagnostic): JsonObject {
  return severity === 'error' || severity === 'warning' ? ours({ code }) : {};
}

/** What stands before a message: its severity, where that is not information. */
export function messagePrefix({ severity }: Diagnostic): string {
  return severity.startsWith('info') ? '' : `${severity}: `;
}

/** The message with its causes and its hint; it ends its line. */
export function messageText(diagnostic: Diagnostic): string {
  return `${diagnosticMessage(diagnostic)}\n`;
}

/** Summary, causes and hint, one a line. */
function diagnosticMessage({ summary, causes = [], hint }: Diagnostic): string {
  return [summary, ...causes, ...(hint === undefined ? [] : [`hint: ${hint}`])].join('\n');
}
