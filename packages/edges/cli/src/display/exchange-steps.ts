import { ROOT_STACK_TYPE } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { isInternalStep } from '@cairn/engine';
import type { EngineEvent, Reason, StepKind, StepView } from '@cairn/engine';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';

type StepEvent = Extract<EngineEvent, { readonly step: StepView }>;

/**
 * Steps as the exchange format tells them, which differs from how they are taken: what is unchanged or updated begins
 * as the program wants it, without id and outputs; a replacement that is created first is told with its outputs once it
 * is there, and its original as on its way out; outputs that a component registers belong to the step that it took. One
 * for each operation; events come in their order.
 */
export class ExchangeSteps {
  /** Replacements that are there while their original still is. */
  readonly #made = new Map<Urn, ResourceEntry>();
  /** What is replaced after its original is gone. */
  readonly #goneFirst = new Set<Urn>();
  /** The step of each component, and of the stack. */
  readonly #components = new Map<Urn, StepView>();

  /** The step of the event. Called once for each event. */
  take(event: StepEvent): StepView {
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

  /** What is replaced after its original is gone is waited for. */
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

/** Steps that begin with what the program wants, not with what is there. */
const ONLY_WANTED: ReadonlySet<StepKind> = new Set(['same', 'update', 'import', 'import-replacement']);

/** Why steps leave an entry as it is, whatever the program wants. */
const UNTOUCHED: ReadonlySet<Reason['t']> = new Set(['out-of-scope', 'kept']);

function begun(step: StepView): StepView {
  const { kind, new: entry, reason } = step;
  if (entry === undefined || !ONLY_WANTED.has(kind)) return step;
  if (UNTOUCHED.has(reason.t)) return { ...step, new: withEntry(entry, { id: '' }) };
  const wanted = { ...step, new: withEntry(entry, { id: '', outputs: emptyMap, initErrors: [] }) };
  return isImport(kind) ? { ...wanted, old: undefined } : wanted;
}

/** What was not updated has no outputs, what was not imported no id. */
function failed(step: StepView): StepView {
  const { kind, new: entry } = step;
  if (isImport(kind)) return begun(step);
  return kind === 'update' && entry !== undefined
    ? { ...step, new: withEntry(entry, { outputs: emptyMap, initErrors: [] }) }
    : step;
}

/** What an import has found is also what was there. */
function ended(step: StepView): StepView {
  return isImport(step.kind) ? { ...step, old: step.new } : step;
}

function isImport(kind: StepKind): boolean {
  return kind === 'import' || kind === 'import-replacement';
}

/**
 * Without keys that the format does not tell: those of a component, of an original that goes, and what is an option and
 * no property.
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

/** What is only shown when somebody asks for it. */
export interface ShownSteps {
  /** Steps that change nothing too, not only that of the stack. */
  readonly showSames: boolean;
  /** The halves of a replacement too, not only the replacement. */
  readonly showReplacementSteps: boolean;
}

/** Whether a list of steps has this one. */
export function isShown({ kind, type, old, new: entry }: StepView, shown: ShownSteps): boolean {
  if (kind === 'same') return shown.showSames || type === ROOT_STACK_TYPE || old?.protect !== entry?.protect;
  return shown.showReplacementSteps || !HALVES.has(kind);
}

/**
 * Whether the event is about what the engine does for itself: default providers, and steps that only keep the state in
 * order.
 */
export function isInternal(event: EngineEvent): boolean {
  return 'step' in event && isInternalStep(event.step);
}
