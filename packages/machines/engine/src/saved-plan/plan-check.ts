import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { PropertyMap } from '@cairn/values';
import type { StepKind } from '../model/step-kinds.js';
import type { ResourcePlan, SavedPlan } from '../model/saved-plan.js';
import { goalViolation, unchangedGoal } from './planned-goal.js';
import { noPropertyPlan, propertyViolation } from './property-plan.js';
import type { Decision } from './decision.js';
import { mayTake } from './step-limits.js';

/** Checks one operation against a plan [PLAN-4]. Counts off the steps; does not change the plan. */
export class PlanCheck {
  readonly #taken = new Map<Urn, number>();
  readonly #plan: SavedPlan;
  readonly #begun: ReadonlySet<Urn>;

  /** `begun`: resources that are not judged, because the earlier operation that began them judged them. */
  constructor(plan: SavedPlan, begun: ReadonlySet<Urn> = new Set()) {
    this.#plan = plan;
    this.#begun = begun;
  }

  seed(urn: Urn): Uint8Array | undefined {
    return this.#of(urn)?.seed;
  }

  /** Returns the violation of a goal, if any. A resource that the plan does not contain must remain as it is. */
  goal({ facts, olds, news, resumed }: Decision): Diagnostic | undefined {
    if (resumed || this.#begun.has(facts.goal.urn)) return undefined;
    const { goal, prior } = facts;
    const planned = this.#of(goal.urn);
    if (planned !== undefined) {
      const how =
        planned.goal === undefined
          ? 'resource unexpectedly not deleted'
          : goalViolation(planned.goal, goal, olds, news);
      return how === undefined ? undefined : goalNotPlanned(goal.urn, how);
    }
    if (prior === undefined) return undefined;
    const how = goalViolation(unchangedGoal(prior, goal), goal, prior.inputs, news);
    return how === undefined ? undefined : goalNotPlanned(goal.urn, how);
  }

  /** Counts off one step. It counts as tried even if it is not the expected one. */
  step(urn: Urn, kind: StepKind): Diagnostic | undefined {
    if (this.#begun.has(urn)) return undefined;
    const planned = this.#of(urn);
    if (planned === undefined) {
      return mayTake(kind, 'same') ? undefined : stepNotPlanned(urn, kind, 'unplanned');
    }
    const at = this.#taken.get(urn) ?? 0;
    const next = planned.steps[at];
    if (next === undefined) return stepNotPlanned(urn, kind, 'exhausted');
    this.#taken.set(urn, at + 1);
    return mayTake(kind, next) ? undefined : stepNotPlanned(urn, kind, next);
  }

  outputs(urn: Urn, olds: PropertyMap, news: PropertyMap): Diagnostic | undefined {
    const how = propertyViolation(this.#of(urn)?.goal?.outputs ?? noPropertyPlan, olds, news);
    return how === undefined ? undefined : outputsNotPlanned(urn, how);
  }

  /** Reports the planned steps that are missing. A planned delete of something already gone does not count. */
  leftovers(existed: (urn: Urn) => boolean): readonly Diagnostic[] {
    const missing: Diagnostic[] = [];
    for (const [urn, { steps }] of this.#plan.resources) {
      if (this.#begun.has(urn)) continue;
      const left = steps.slice(this.#taken.get(urn) ?? 0);
      if (left.length === 0) continue;
      if (left.length === 1 && left[0] === 'delete' && !existed(urn)) continue;
      missing.push(stepsMissing(urn));
    }
    return missing;
  }

  #of(urn: Urn): ResourcePlan | undefined {
    return this.#plan.resources.get(urn);
  }
}

const HINT =
  'Make a new plan with `cairn preview --save-plan`, or undo what changed since this one was saved.';

/** Reports a step that the plan does not contain. */
function stepNotPlanned(urn: Urn, step: StepKind, why: 'unplanned' | 'exhausted' | StepKind): Diagnostic {
  const reason =
    why === 'unplanned'
      ? 'no steps were expected for this resource'
      : why === 'exhausted'
        ? 'no more steps were expected for this resource'
        : `this resource is constrained to ${why}`;
  return violated(`${step} is not allowed by the plan: ${reason}`, urn);
}

/** Reports a goal that differs from the planned one. */
function goalNotPlanned(urn: Urn, how: string): Diagnostic {
  return violated(`resource ${urn} violates plan: ${how}`, urn);
}

/** Reports registered outputs that differ from the planned ones. */
function outputsNotPlanned(urn: Urn, how: string): Diagnostic {
  return violated(`resource violates plan: ${how}`, urn);
}

/** Reports steps of the plan that were not taken. */
function stepsMissing(urn: Urn): Diagnostic {
  return violated(`expected resource operations for ${urn} but none were seen`, urn);
}

function violated(summary: string, urn: Urn): Diagnostic {
  return errorDiagnostic('CAIRN-PLAN-VIOLATED', summary, { urn, hint: HINT });
}
