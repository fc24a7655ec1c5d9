import { ROOT_STACK_TYPE } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { isInternalStep } from '@cairn/engine';
import type { EngineEvent, Reason, StepKind, StepView } from '@cairn/engine';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';

/** An event about a step, including outputs that a component registers. */
export type ExchangedEvent = Extract<EngineEvent, { readonly step: StepView }>;

/**
 * Converts steps to the exchange format, which differs from the engine's own steps:
 * - An unchanged or updated resource begins in the program's desired form, without id and outputs.
 * - A replacement that is created first is reported with its outputs once it exists, and its original with a pending
 *   deletion.
 * - Outputs that a component registers belong to the step of the component.
 *
 * All readers of a pass share one instance. Each passes every event about a step, in order.
 */
export class ExchangeSteps {
  /** Replacements that exist while their original still does. */
  readonly #made = new Map<Urn, ResourceEntry>();
  /** Resources whose original is deleted before they are created again. */
  readonly #goneFirst = new Set<Urn>();
  /** Step of each component, and of the stack. */
  readonly #components = new Map<Urn, StepView>();
  /** The last event with its step, for the next reader of the same event. */
  #last: { readonly event: ExchangedEvent; readonly step: StepView } | undefined;

  /** Returns the step of the event. */
  take(event: ExchangedEvent): StepView {
    if (this.#last?.event !== event) this.#last = { event, step: this.#apply(event) };
    return this.#last.step;
  }

  #apply(event: ExchangedEvent): StepView {
    const { t } = event;
    const step = withoutOwnKeys(event.step);
    if (t === 'outputs') return this.#registered(step);
    const { urn, kind, new: entry } = step;
    if (kind === 'refresh' && t !== 'step-ended') return { ...step, new: step.old };
    if (t === 'step-failed') return failed(step);
    if (entry !== undefined && !entry.custom && kind !== 'refresh') this.#components.set(urn, step);
    if (kind === 'replace') return this.#replaced(step);
    if (t === 'step-started') {
      if (kind === 'delete-replaced' && !this.#made.has(urn)) this.#goneFirst.add(urn);
      return begun(this.#withGone(step));
    }
    if (MAKES_REPLACEMENT.has(kind) && entry !== undefined && !this.#goneFirst.has(urn)) {
      this.#made.set(urn, entry);
      return ended({ ...step, old: onItsWayOut(step.old) });
    }
    return ended(this.#withGone(step));
  }

  #replaced(step: StepView): StepView {
    const made = this.#made.get(step.urn);
    if (made !== undefined) return { ...step, old: onItsWayOut(step.old), new: made };
    this.#goneFirst.add(step.urn);
    return this.#withGone(step);
  }

  /** Marks the original as pending replacement if it is deleted first. */
  #withGone(step: StepView): StepView {
    const { old, kind, urn } = step;
    const waits = this.#goneFirst.has(urn) && (kind === 'replace' || MAKES_REPLACEMENT.has(kind));
    return waits && old !== undefined ? { ...step, old: withEntry(old, { pendingReplacement: true }) } : step;
  }

  #registered(step: StepView): StepView {
    const taken = this.#components.get(step.urn);
    return taken === undefined ? step : { ...taken, new: step.new };
  }
}

const MAKES_REPLACEMENT: ReadonlySet<StepKind> = new Set([
  'create-replacement',
  'import-replacement',
  'read-replacement',
]);

/** Steps that begin in the program's desired form, not in the current one. */
const ONLY_WANTED: ReadonlySet<StepKind> = new Set(['same', 'update', 'import', 'import-replacement']);

/** Reasons that leave an entry unchanged, whatever the program requests. */
const UNTOUCHED: ReadonlySet<Reason['t']> = new Set(['out-of-scope', 'kept']);

function begun(step: StepView): StepView {
  const { kind, new: entry, reason } = step;
  if (entry === undefined || !ONLY_WANTED.has(kind)) return step;
  if (UNTOUCHED.has(reason.t)) return { ...step, new: withEntry(entry, { id: '' }) };
  const wanted = { ...step, new: withEntry(entry, { id: '', outputs: emptyMap, initErrors: [] }) };
  return isImport(kind) ? { ...wanted, old: undefined } : wanted;
}

/** Returns a failed step: a failed update has no outputs, a failed import no id. */
function failed(step: StepView): StepView {
  const { kind, new: entry } = step;
  if (isImport(kind)) return begun(step);
  return kind === 'update' && entry !== undefined
    ? { ...step, new: withEntry(entry, { outputs: emptyMap, initErrors: [] }) }
    : step;
}

/** Returns an ended step: the object that an import found is also the one before. */
function ended(step: StepView): StepView {
  return isImport(step.kind) ? { ...step, old: step.new } : step;
}

function isImport(kind: StepKind): boolean {
  return kind === 'import' || kind === 'import-replacement';
}

/**
 * Removes keys that the format does not report: those of a component, those of an original that is deleted, and those
 * of an option that is not a property.
 */
function withoutOwnKeys(step: StepView): StepView {
  const { kind, new: entry, reason } = step;
  if (kind === 'delete-replaced' || (entry !== undefined && !entry.custom))
    return { ...step, replaceKeys: [], changedKeys: [], detailedDiff: undefined };
  return reason.t === 'option' && reason.name === 'replacementTrigger' ? { ...step, replaceKeys: [] } : step;
}

function onItsWayOut(entry: ResourceEntry | undefined): ResourceEntry | undefined {
  return entry === undefined ? undefined : withEntry(entry, { delete: true });
}

const HALVES: ReadonlySet<StepKind> = new Set([
  ...MAKES_REPLACEMENT,
  'delete-replaced',
  'discard-replaced',
  'remove-pending-replace',
]);

/** Steps that are shown only on request. */
export interface ShownSteps {
  /** Includes all steps that change nothing, not only that of the stack. */
  readonly showSames: boolean;
  /** Includes the halves of a replacement, not only the replacement. */
  readonly showReplacementSteps: boolean;
}

/** Tells whether a list of steps contains this one. */
export function isShown({ kind, type, old, new: entry }: StepView, shown: ShownSteps): boolean {
  if (kind === 'same') return shown.showSames || type === ROOT_STACK_TYPE || old?.protect !== entry?.protect;
  return shown.showReplacementSteps || !HALVES.has(kind);
}

/**
 * Tells whether the event belongs to the engine's internal work: default providers, and steps that only tidy the state.
 */
export function isInternal(event: EngineEvent): boolean {
  return 'step' in event && isInternalStep(event.step);
}
