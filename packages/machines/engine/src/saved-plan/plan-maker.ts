import type { Urn } from '@cairn/addresses';
import type { PropertyMap } from '@cairn/values';
import type { StepKind } from '../model/step-kinds.js';
import type { PlannedGoal, ResourcePlan, SavedPlan } from '../model/saved-plan.js';
import { plannedGoal } from './planned-goal.js';
import { propertyPlan } from './property-plan.js';
import type { Decision } from './decision.js';

/** Plan of a resource while the preview runs: deletes ahead of its registration come before its goal. */
interface Growing {
  goal: PlannedGoal | undefined;
  readonly steps: StepKind[];
  outputs: PropertyMap | undefined;
  seed: Uint8Array | undefined;
}

/** Makes the plan of one preview [PLAN-2]. */
export class PlanMaker {
  readonly #resources = new Map<Urn, Growing>();
  readonly #freshSeed: () => Uint8Array;

  constructor(freshSeed: () => Uint8Array) {
    this.#freshSeed = freshSeed;
  }

  goal({ facts, olds, news, resumed }: Decision): void {
    if (resumed) return;
    const entry = this.#grow(facts.goal.urn);
    entry.goal = plannedGoal(facts.goal, propertyPlan(olds, news));
    entry.seed = facts.answers.seed ?? this.#freshSeed();
  }

  step(urn: Urn, kind: StepKind): void {
    this.#grow(urn).steps.push(kind);
  }

  outputs(urn: Urn, olds: PropertyMap, news: PropertyMap): void {
    const entry = this.#resources.get(urn);
    if (entry?.goal === undefined) return;
    entry.goal = { ...entry.goal, outputs: propertyPlan(olds, news) };
    entry.outputs = news;
  }

  resources(): SavedPlan['resources'] {
    return new Map<Urn, ResourcePlan>(this.#resources);
  }

  #grow(urn: Urn): Growing {
    const known = this.#resources.get(urn);
    if (known !== undefined) return known;
    const fresh: Growing = { goal: undefined, steps: [], outputs: undefined, seed: undefined };
    this.#resources.set(urn, fresh);
    return fresh;
  }
}
