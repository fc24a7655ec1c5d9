import { isRootStackUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { completedInputs } from '../decide/late-inputs.js';
import { storableOutputs } from '../decide/stored-outputs.js';
import { structuralDiff } from '../decide/structural-diff.js';
import type { HookRunner } from '../execute/hooks/hook-runner.js';
import type { Ledger } from '../ledger/ledger.js';
import type { RegistrationProgress } from '../ledger/queries.js';
import type { Goal } from '../model/goal.js';
import type { RegisteredOutputs, Registration } from '../model/registration.js';
import type { Report } from '../model/report.js';
import type { Cell } from '../model/cell.js';
import { outputsView, updateView } from '../model/step-view.js';
import type { Recorder } from '../record/recorder.js';
import type { RunPlan } from '../saved-plan/run-plan.js';
import type { OpenRegistrations } from './open-registrations.js';
import { notPending, shutDownError } from './refusals.js';

/** Parts that taking outputs needs. */
interface ComponentOutputsParts {
  readonly ledger: Ledger;
  readonly replies: OpenRegistrations;
  readonly recorder: Recorder;
  readonly plan: RunPlan;
  readonly hooks: HookRunner;
  readonly report: Report;
  readonly preview: boolean;
  /** True if something in the resource's failure domain has failed. */
  readonly hasFailed: (urn: Urn) => boolean;
  /** Reports a bug in Cairn that ends the operation. */
  readonly onBug: (thrown: unknown) => void;
}

/**
 * Takes the outputs that the program registers: once for each component, with inputs that were not known before
 * [REG-19], and for the stack. The stack's outputs are stored at the end [REG-11] [REG-13].
 */
export class ComponentOutputs {
  /** Outputs of the root stack as the program registered them, until the end. */
  root: { readonly urn: Urn; readonly outputs: PropertyMap } | undefined;
  readonly #given = new Set<Urn>();
  /** Components with inputs that are still to come. */
  readonly #late = new Map<Urn, readonly string[]>();
  readonly #parts: ComponentOutputsParts;

  constructor(parts: ComponentOutputsParts) {
    this.#parts = parts;
  }

  /** Records a registered component with inputs that come with its outputs [REG-19]. */
  expect({ urn, lateInputs }: Pick<Goal, 'urn' | 'lateInputs'>): void {
    if (lateInputs.length > 0) this.#late.set(urn, lateInputs);
  }

  take({ reply, ...said }: Extract<Registration, { readonly t: 'outputs' }>): void {
    const { urn, outputs } = said;
    const { ledger, replies, recorder, plan, hooks } = this.#parts;
    if (replies.stopped && !isRootStackUrn(urn)) return replies.refuse(reply, shutDownError());
    const progress = ledger.progress(urn);
    const cell = recorder.live.live(urn);
    if (isRootStackUrn(urn)) this.root = { urn, outputs };
    else if (isUnstored(progress) || this.#parts.hasFailed(urn)) {
      // Nothing is stored.
    } else if (progress !== 'ended' || cell === undefined || this.#given.has(urn)) {
      return replies.fail(reply, [notPending(urn)], true);
    } else {
      if (replies.notPlanned(reply, plan.outputs(urn, cell.entry.outputs, outputs))) return;
      this.#given.add(urn);
      this.#write(cell, said);
    }
    const answer = () => {
      reply.resolve();
      replies.done();
    };
    const after = hooks.outputs(urn, outputs);
    if (after === undefined) answer();
    else void after.then(answer, (thrown: unknown) => this.#parts.onBug(thrown));
  }

  #write(cell: Cell, { urn, outputs, lateInputs }: RegisteredOutputs): void {
    const { ledger, report, recorder, preview } = this.#parts;
    const old = cell.entry;
    // What is out of scope gets outputs, but no inputs [TGT-5].
    const late = ledger.isUntouched(urn) ? [] : (this.#late.get(urn) ?? []);
    const inputs = completedInputs(old.inputs, late, lateInputs, preview);
    this.#late.delete(urn);
    const entry = withEntry(old, {
      inputs,
      outputs: preview ? outputs : storableOutputs(old.outputs, outputs),
    });
    const differs = !equalMaps(old.inputs, inputs);
    if (differs || !equalMaps(old.outputs, entry.outputs)) recorder.outputs(cell, entry);
    ledger.note({ t: 'ended', urn: entry.urn, entry });
    if (differs && ledger.step(urn) === 'same') this.#updated(old, entry);
    report.emit({ t: 'outputs', step: outputsView(old, entry), planning: preview });
  }

  /**
   * Emits an update for a component that seemed unchanged but has other inputs. It calls no provider, and replaces the
   * counted step.
   */
  #updated(old: ResourceEntry, entry: ResourceEntry): void {
    const { report, preview } = this.#parts;
    const { changes, changedKeys, detailedDiff } = structuralDiff(old.inputs, entry.inputs, []);
    if (changes === 'none') return;
    const step = updateView(old, entry, { replaceKeys: [], changedKeys, detailedDiff });
    report.emit({ t: 'step-started', step, planning: preview });
    report.recount('same', step);
    report.emit({ t: 'step-ended', step, planning: preview, elapsedMs: 0 });
  }
}

/** Tells whether nothing was stored for the resource in this run. */
function isUnstored(progress: RegistrationProgress | undefined): boolean {
  return progress === 'failed' || progress === 'skipped' || progress === 'left-out';
}
