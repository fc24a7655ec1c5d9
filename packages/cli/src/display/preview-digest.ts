import { ROOT_STACK_TYPE } from '@cairn/addresses';
import { nopCrypter } from '@cairn/crypters';
import { operationName } from '@cairn/engine';
import type { EngineEvent, OperationResult, StepView, Violation } from '@cairn/engine';
import { encodeEntry, goJson, goStruct, indentJson, resourceStruct, withEntry } from '@cairn/state';
import type { JsonObject, ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Prepared } from '../session/prepare.js';
import { stripMarkup } from '../terminal/paint.js';
import {
  detailedDiffJson,
  diagnosticMessage,
  diagnosticPrefix,
  maskConfig,
  reasonJson,
} from './event-json.js';
import { withPlainSecret, withPlainSecrets } from './plain-secrets.js';
import { resourceChanges } from './resource-changes.js';

/** What the digest is asked to hold. */
export interface DigestOptions {
  readonly showSecrets: boolean;
  /** Steps that change nothing too, not only that of the stack. */
  readonly showSames: boolean;
  /** Without the outputs of the stack. */
  readonly suppressOutputs: boolean;
}

/** The one document of `preview --json` (state.md 8.2): steps, diagnostics, counts, duration in nanoseconds. */
export function previewDigest(
  events: readonly EngineEvent[],
  result: OperationResult,
  prepared: Prepared,
  options: DigestOptions,
): string {
  const { values, secretKeys } = prepared.config.program;
  const config = maskConfig(Object.fromEntries(values), secretKeys);
  const steps = shownSteps(events, options).map((step) => stepJson(step, options));
  const diagnostics = events.flatMap(messageJson);
  const duration = Math.round(result.summary.durationMs * 1e6);
  const changeSummary = resourceChanges(result.summary);
  const digest = goStruct({
    ...(values.size === 0 ? {} : { config }),
    ...(steps.length === 0 ? {} : { steps }),
    ...(diagnostics.length === 0 ? {} : { diagnostics }),
    ...(duration === 0 ? {} : { duration }),
    ...(Object.keys(changeSummary).length === 0 ? {} : { changeSummary }),
  });
  return `${indentJson(goJson(digest, { escapeHtml: true, structs: true }), 4)}\n`;
}

/** Steps in the order in which they ended; what a refresh has found stands in the place of the look-up. */
function shownSteps(events: readonly EngineEvent[], { showSames }: DigestOptions): readonly StepView[] {
  return events.flatMap((event) =>
    event.t === 'step-ended' &&
    (showSames || event.step.kind !== 'same' || event.step.type === ROOT_STACK_TYPE)
      ? [event.step]
      : [],
  );
}

/** What was said, debug and passing messages left out; what the program wrote is information. */
function messageJson(event: EngineEvent): readonly JsonObject[] {
  if (event.t === 'program-output') return [goStruct({ message: stripMarkup(event.text), severity: 'info' })];
  if (event.t === 'policy-violation') return advisoryJson(event.violation);
  if (event.t !== 'diagnostic' || event.ephemeral || event.diagnostic.severity === 'debug') return [];
  const { diagnostic } = event;
  const { urn, severity, code } = diagnostic;
  const message = stripMarkup(diagnosticPrefix(diagnostic) + diagnosticMessage(diagnostic));
  return [goStruct({ ...(urn === undefined ? {} : { urn }), message, severity, code })];
}

/** An advisory violation is a warning; mandatory ones have a diagnostic of their own. */
function advisoryJson({ level, urn, policyName, packName, message }: Violation): readonly JsonObject[] {
  if (level !== 'advisory') return [];
  const code = 'CAIRN-POLICY-VIOLATION';
  const text = `warning[${code}]: policy "${policyName}" of ${packName}: ${stripMarkup(message)}`;
  return [
    goStruct({
      ...(urn === undefined || urn === '' ? {} : { urn }),
      message: text,
      severity: 'warning',
      code,
    }),
  ];
}

function stepJson(step: StepView, options: DigestOptions): JsonObject {
  const { refreshResult: found } = step;
  return goStruct({
    op: operationName(found === 'update' || found === 'delete' ? found : step.kind),
    urn: step.urn,
    ...(step.provider === undefined ? {} : { provider: step.provider }),
    ...(step.old === undefined ? {} : { oldState: stateJson(step.old, options) }),
    ...(step.new === undefined ? {} : { newState: stateJson(step.new, options) }),
    ...(step.changedKeys.length === 0 ? {} : { diffReasons: step.changedKeys }),
    ...(step.replaceKeys.length === 0 ? {} : { replaceReasons: step.replaceKeys }),
    detailedDiff: detailedDiffJson(step, 'kind'),
    ...reasonJson(step.reason),
  });
}

/** An entry as state files have it, secrets as the plain text `[secret]`; outputs of the stack only when they are not suppressed. */
function stateJson(entry: ResourceEntry, { showSecrets, suppressOutputs }: DigestOptions): JsonObject {
  const hidden = suppressOutputs && entry.type === ROOT_STACK_TYPE;
  const map = (properties: PropertyMap): PropertyMap =>
    hidden ? emptyMap : withPlainSecrets(properties, showSecrets);
  const trigger = entry.replacementTrigger;
  const shown = withEntry(entry, {
    inputs: map(entry.inputs),
    outputs: map(entry.outputs),
    replacementTrigger: trigger === undefined ? undefined : withPlainSecret(trigger, showSecrets),
  });
  return resourceStruct(encodeEntry(shown, nopCrypter));
}
