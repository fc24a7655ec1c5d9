import { ROOT_STACK_TYPE } from '@cairn/addresses';
import type { EngineEvent, OperationResult, StepView, Violation } from '@cairn/engine';
import { goJson, indentJson } from '@cairn/state';
import type { Json, JsonObject, ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { Prepared } from '../session/prepare.js';
import { stripEscapes } from '../terminal/paint.js';
import { detailedDiffJson, maskConfig, reasonJson } from './event-json.js';
import { plainJson } from './plain-json.js';

/** What the digest is asked to hold. */
export interface DigestOptions {
  readonly showSecrets: boolean;
  /** Steps that change nothing too, not only that of the stack. */
  readonly showSames: boolean;
}

/** The one document of `preview --json` (state.md 8.2): steps, diagnostics, counts, duration in nanoseconds. */
export function previewDigest(
  events: readonly EngineEvent[],
  result: OperationResult,
  prepared: Prepared,
  options: DigestOptions,
): string {
  const { showSecrets } = options;
  const { values, secretKeys } = prepared.config.program;
  const steps = events.flatMap((event) =>
    event.t === 'step-ended' &&
    (options.showSames || event.step.kind !== 'same' || event.step.type === ROOT_STACK_TYPE)
      ? [stepJson(event.step, showSecrets)]
      : [],
  );
  const diagnostics = events.flatMap(messageJson);
  const digest: JsonObject = {
    config: maskConfig(Object.fromEntries(values), secretKeys),
    steps,
    ...(diagnostics.length === 0 ? {} : { diagnostics }),
    duration: Math.round(result.summary.durationMs * 1e6),
    changeSummary: { ...result.summary.changes } as JsonObject,
    maybeCorrupt: false,
  };
  return `${indentJson(goJson(digest, { escapeHtml: true }), 4)}\n`;
}

/** What was said, debug and passing messages left out; what the program wrote is information. */
function messageJson(event: EngineEvent): readonly JsonObject[] {
  if (event.t === 'program-output') return [{ message: stripEscapes(event.text), severity: 'info' }];
  if (event.t === 'policy-violation') return advisoryJson(event.violation);
  if (event.t !== 'diagnostic' || event.ephemeral || event.diagnostic.severity === 'debug') return [];
  const { diagnostic } = event;
  return [
    {
      ...(diagnostic.urn === undefined ? {} : { urn: diagnostic.urn }),
      message: stripEscapes([diagnostic.summary, ...(diagnostic.causes ?? [])].join('\n')),
      severity: diagnostic.severity,
      code: diagnostic.code,
    },
  ];
}

/** An advisory violation is a warning; mandatory ones have a diagnostic of their own. */
function advisoryJson({ level, urn, policyName, packName, message }: Violation): readonly JsonObject[] {
  if (level !== 'advisory') return [];
  const text = `policy "${policyName}" of ${packName}: ${stripEscapes(message)}`;
  return [{ urn, message: text, severity: 'warning', code: 'CAIRN-POLICY-VIOLATION' }];
}

function stepJson(step: StepView, showSecrets: boolean): JsonObject {
  return {
    op: step.kind,
    urn: step.urn,
    ...(step.provider === undefined ? {} : { provider: step.provider }),
    ...(step.old === undefined ? {} : { oldState: stateJson(step.old, showSecrets) }),
    ...(step.new === undefined ? {} : { newState: stateJson(step.new, showSecrets) }),
    ...(step.changedKeys.length === 0 ? {} : { diffReasons: step.changedKeys }),
    ...(step.replaceKeys.length === 0 ? {} : { replaceReasons: step.replaceKeys }),
    detailedDiff: detailedDiffJson(step, 'kind'),
    ...reasonJson(step.reason),
  };
}

/** The parts of an entry that a preview can tell; secrets are the plain text `[secret]`. */
function stateJson(entry: ResourceEntry, showSecrets: boolean): JsonObject {
  const map = (properties: PropertyMap): Json => plainJson(properties, showSecrets) as Json;
  return {
    urn: entry.urn,
    custom: entry.custom,
    ...(entry.id === '' ? {} : { id: entry.id }),
    type: entry.type,
    inputs: map(entry.inputs),
    outputs: map(entry.outputs),
    ...(entry.parent === undefined ? {} : { parent: entry.parent }),
    ...(entry.protect ? { protect: true } : {}),
    ...(entry.external ? { external: true } : {}),
    ...(entry.dependencies.length === 0 ? {} : { dependencies: entry.dependencies }),
    ...(entry.provider === undefined ? {} : { provider: entry.provider }),
  };
}
