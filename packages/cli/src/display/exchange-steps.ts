import { ROOT_STACK_TYPE, isDefaultProviderName, isProviderType, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { EngineEvent, StepKind, StepView } from '@cairn/engine';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';

type StepEvent = Extract<EngineEvent, { readonly step: StepView }>;

/**
 * Steps as the exchange format tells them, which differs from how they are taken: what is unchanged or updated begins as the program wants
 * it, without id and outputs; a replacement that is created first is told with its outputs once it is there, and its original as on its way
 * out; outputs that a component registers belong to the step that it took. One for each operation; events come in their order.
 */
export class ExchangeSteps {
  /** Replacements that are there while their original still is. */
  readonly #made = new Map<Urn, ResourceEntry>();
  /** What is replaced after its original is gone. */
  readonly #goneFirst = new Set<Urn>();
  /** The step of each component, and of the stack. */
  readonly #components = new Map<Urn, StepView>();

  /** The step of the event. Called once for each event. */
  take({ t, step }: StepEvent): StepView {
    if (t === 'outputs') return this.#registered(step);
    if (t === 'step-failed') return step;
    const { urn, kind, new: entry } = step;
    if (entry !== undefined && !entry.custom && kind !== 'refresh') this.#components.set(urn, step);
    if (kind === 'replace') return this.#replaced(step);
    if (t === 'step-started') {
      if (kind === 'delete-replaced' && !this.#made.has(urn)) this.#goneFirst.add(urn);
      return isOnlyWanted(kind) && entry !== undefined
        ? { ...step, new: withEntry(entry, { id: '', outputs: emptyMap }) }
        : step;
    }
    if (!MAKES_REPLACEMENT.has(kind) || entry === undefined || this.#goneFirst.has(urn)) return step;
    this.#made.set(urn, entry);
    return { ...step, old: onItsWayOut(step.old) };
  }

  #replaced(step: StepView): StepView {
    const made = this.#made.get(step.urn);
    if (made !== undefined) return { ...step, old: onItsWayOut(step.old), new: made };
    this.#goneFirst.add(step.urn);
    return step;
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
function isOnlyWanted(kind: StepKind): boolean {
  return kind === 'same' || kind === 'update';
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

/** Whether the event is about what the engine does for itself: default providers, and steps that only keep the state in order. */
export function isInternal(event: EngineEvent): boolean {
  if (!('step' in event)) return false;
  const { kind, type, urn } = event.step;
  return kind === 'remove-pending-replace' || (isProviderType(type) && isDefaultProviderName(urnName(urn)));
}
