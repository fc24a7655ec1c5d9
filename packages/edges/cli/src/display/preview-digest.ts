import { ROOT_STACK_TYPE } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { nopCrypter } from '@cairn/crypters';
import { operationName } from '@cairn/engine';
import type { EngineEvent, OperationKind, EngineResult, StepView, Violation } from '@cairn/engine';
import { encodeEntry, goJson, goStruct, indentJson, resourceStruct, withEntry } from '@cairn/state';
import type { JsonObject, ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { ProgramConfig } from '@cairn/workspace';
import { stripMarkup } from '../terminal/paint.js';
import { codeJson, maskConfig, messagePrefix, messageText, pageJson } from './event-json.js';
import { withoutOwnState } from './elided-contents.js';
import type { Answer } from './answer-display.js';
import { isInternal, isShown } from './exchange-steps.js';
import type { ExchangeSteps, ExchangedEvent, ShownSteps } from './exchange-steps.js';
import { withPlainSecret, withPlainSecrets } from '@cairn/operations/stacks';
import { ProgramLines } from './program-lines.js';
import type { ProgramLine } from './program-lines.js';
import { detailedDiffJson, reasonJson, resourceChanges } from '@cairn/operations';

/** Options for the content of the digest. */
interface DigestOptions extends ShownSteps {
  readonly operation: OperationKind;
  /** Steps of the pass in the exchange format. */
  readonly exchange: ExchangeSteps;
  readonly showSecrets: boolean;
  /** Omits the outputs of the stack. */
  readonly suppressOutputs: boolean;
}

/** The one document of `preview --json` [EVT-3]: steps, diagnostics, counts, duration in nanoseconds. */
export class PreviewDigest implements Answer {
  readonly #options: DigestOptions;
  /** Shown steps in the order of their starts. */
  readonly #steps: StepView[] = [];
  /** Positions of look-ups among the steps. */
  readonly #lookUps = new Map<Urn, number>();
  readonly #output = new ProgramLines();
  readonly #messages: JsonObject[] = [];

  constructor(options: DigestOptions) {
    this.#options = options;
  }

  take(event: EngineEvent): void {
    if ('step' in event) this.#step(event);
    else if (event.t === 'program-output') this.#messages.push(...this.#output.take(event).map(lineJson));
    else this.#messages.push(...messageJson(event));
  }

  /** Adds a step when it starts. If a refresh found a change, the change replaces the look-up. */
  #step(event: ExchangedEvent): void {
    const step = this.#options.exchange.take(event);
    if (isInternal(event)) return;
    if (event.t === 'step-started' && isShown(step, this.#options)) {
      if (step.kind === 'refresh') this.#lookUps.set(step.urn, this.#steps.length);
      this.#steps.push(step);
    } else if (this.#refreshes && event.t === 'step-ended' && step.kind === 'refresh') {
      const at = this.#lookUps.get(step.urn);
      if (at !== undefined && foundChange(step) !== undefined) this.#steps[at] = step;
    }
  }

  get #refreshes(): boolean {
    return this.#options.operation === 'refresh';
  }

  text(
    { summary }: Pick<EngineResult, 'summary'>,
    { values, secretKeys }: ProgramConfig,
    page?: string,
  ): string {
    const config = maskConfig(Object.fromEntries(values), secretKeys);
    const steps = this.#steps.map((step) => stepJson(step, this.#options, this.#refreshes));
    const diagnostics = [...this.#messages, ...this.#output.rest().map(lineJson)];
    const duration = Math.round(summary.durationMs * 1e6);
    const changeSummary = resourceChanges(summary);
    const digest = goStruct({
      ...(values.size === 0 ? {} : { config }),
      ...(steps.length === 0 ? {} : { steps }),
      ...(diagnostics.length === 0 ? {} : { diagnostics }),
      ...(duration === 0 ? {} : { duration }),
      ...(Object.keys(changeSummary).length === 0 ? {} : { changeSummary }),
      ...pageJson(page),
    });
    return `${indentJson(goJson(digest, { escapeHtml: true, structs: true }), 4)}\n`;
  }
}

/** Returns a change that can be described: an object that is gone, or differences property by property. */
function foundChange({ refreshResult, detailedDiff }: StepView): 'update' | 'delete' | undefined {
  if (refreshResult === 'delete') return 'delete';
  return refreshResult === 'update' && detailedDiff !== undefined ? 'update' : undefined;
}

/** Returns a line that the program wrote as a message. */
function lineJson({ message, severity }: ProgramLine): JsonObject {
  return goStruct({ message: stripMarkup(message), severity });
}

/** Returns a message, except for debug and ephemeral ones. */
function messageJson(event: EngineEvent): readonly JsonObject[] {
  if (event.t === 'policy-violation') return advisoryJson(event.violation);
  if (event.t !== 'diagnostic' || event.ephemeral || event.diagnostic.severity === 'debug') return [];
  const { diagnostic } = event;
  const { urn, severity } = diagnostic;
  const message = stripMarkup(messagePrefix(diagnostic) + messageText(diagnostic));
  return [goStruct({ ...(urn === undefined ? {} : { urn }), message, severity, ...codeJson(diagnostic) })];
}

/** Returns an advisory violation as a warning; mandatory ones have their own diagnostic. */
function advisoryJson({ level, urn, policyName, packName, message }: Violation): readonly JsonObject[] {
  if (level !== 'advisory') return [];
  const text = `warning: policy "${policyName}" of ${packName}: ${stripMarkup(message)}\n`;
  return [
    goStruct({
      ...(urn === undefined || urn === '' ? {} : { urn }),
      message: text,
      severity: 'warning',
      ...codeJson({ severity: 'warning', code: 'CAIRN-POLICY-VIOLATION', summary: message }),
    }),
  ];
}

function stepJson(step: StepView, options: DigestOptions, refreshes: boolean): JsonObject {
  const found = refreshes && step.kind === 'refresh' ? foundChange(step) : undefined;
  return goStruct({
    op: operationName(found ?? step.kind),
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

/**
 * Returns an entry in the form of state files, with secrets as the plain text `[secret]`. Outputs of the stack are
 * included unless they are suppressed.
 */
function stateJson(entry: ResourceEntry, { showSecrets, suppressOutputs }: DigestOptions): JsonObject {
  const hidden = suppressOutputs && entry.type === ROOT_STACK_TYPE;
  const map = (properties: PropertyMap): PropertyMap =>
    hidden ? emptyMap : withPlainSecrets(properties, showSecrets);
  const trigger = entry.replacementTrigger;
  const shown = withEntry(entry, {
    inputs: map(entry.inputs),
    outputs: map(withoutOwnState(entry.outputs)),
    replacementTrigger: trigger === undefined ? undefined : withPlainSecret(trigger, showSecrets),
  });
  return resourceStruct(encodeEntry(shown, nopCrypter));
}
