import { blindingCrypter, nopCrypter } from '@cairn/crypters';
import { unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent, StepView } from '@cairn/engine';
import { ValueEncoder, goStruct, isJsonObject, writtenPaths } from '@cairn/state';
import type { JsonObject, ResourceEntry } from '@cairn/state';
import { diagnosticTexts } from './diagnostic-words.js';
import { withoutContents, withoutOwnState } from './elided-contents.js';
import type { EventJsonStyle } from './display.js';
import { policyEventJson } from './policy-json.js';
import type { ProgramLine } from './program-lines.js';
import { plainJson, resourceChanges, stepFacts } from '@cairn/operations';
import { stripMarkup } from '../terminal/paint.js';

/** Events that have one body each. The output of a program becomes one body for each line. */
export type BodiedEvent = Exclude<EngineEvent, { readonly t: 'program-output' }>;

/**
 * Returns the body of one engine event in the exchange format [EVT-2]: exactly one key, with fields in the order of the
 * format and steps in the form of ExchangeSteps. Data without a field in the format is in a last member, `cairn`.
 * Returns undefined for events that the format does not have. Secrets are masked unless shown.
 */
export function eventJson(
  event: BodiedEvent,
  style: EventJsonStyle,
  progress: EventProgress,
): JsonObject | undefined {
  switch (event.t) {
    case 'prelude':
      return {
        preludeEvent: goStruct({
          config: maskConfig(event.config, event.secretKeys),
          ...pageJson(style.page),
        }),
      };
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
 * Progress of an operation when an event is written: the number of ended steps, and a flag for a step with an unknown
 * outcome.
 */
interface EventProgress {
  readonly ended: number;
  readonly inDoubt: boolean;
}

/** State of the object after a provider's failure: unchanged, or unknown. */
const STATUS_OK = 0;
const STATUS_UNKNOWN = 2;

/** Returns a text of the format without terminal control sequences and without colour directives, as `color` says. */
export function textJson(text: string): JsonObject {
  return goStruct({ message: stripMarkup(text), color: 'never' });
}

/** Tells whether the end of a step is reported as outputs. Components report theirs by registering them [EVT-2]. */
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

/** Returns the configuration of the run with secrets masked. */
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
 * Returns a step in the form of events: its metadata, with the entries before and after. A look-up of a refresh
 * operation ends as the change that it found.
 */
export function stepJson(step: StepView, style: EventJsonStyle, when?: 'ended'): JsonObject {
  const { op, urn, type, ...facts } = stepFacts(step, when === 'ended' && style.operation === 'refresh');
  return goStruct({
    ...{ op, urn, type },
    old: step.old === undefined ? null : entryJson(step.old, style),
    new: step.new === undefined ? null : entryJson(step.new, style),
    ...facts,
  });
}

/**
 * Returns the member for Cairn's own fields, so that everything else can be compared byte for byte with events of other
 * tools.
 */
function ours(fields: JsonObject): JsonObject {
  return { cairn: goStruct(fields) };
}

/** Returns the address of the page of a pass, if there is one. */
export function pageJson(page: string | undefined): JsonObject {
  return page === undefined ? {} : ours({ page });
}

/** Returns the body of an event without that member, for readers that compare every line with one of the format. */
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

/** Marks a step that undoes another one. */
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

/** Returns a line of the program's output as an event. */
export function programLineJson({ message, severity }: ProgramLine): JsonObject {
  return { diagnosticEvent: goStruct({ ...textJson(message), severity }) };
}

/** Returns the code of an error or a warning; other messages have none. */
export function codeJson({ severity, code }: Diagnostic): JsonObject {
  return severity === 'error' || severity === 'warning' ? ours({ code }) : {};
}

/** Returns the prefix of a message: its severity, except for information. */
export function messagePrefix({ severity }: Diagnostic): string {
  return severity.startsWith('info') ? '' : `${severity}: `;
}

/** Returns the message with its causes and its hint, with a line break at its end. */
export function messageText(diagnostic: Diagnostic): string {
  return `${diagnosticTexts(diagnostic).join('\n')}\n`;
}
