import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Extension } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import { isRead } from '../decide/facts.js';
import type { Facts, ReadFacts } from '../decide/facts.js';
import type { RunView } from '../ledger/queries.js';
import type { Registration } from '../model/registration.js';
import type { StepKind } from '../model/step-kinds.js';
import type { Step } from '../model/step.js';
import { decisionOf, leftOutDecision } from './decision.js';
import type { Decision } from './decision.js';
import { PlanCheck } from './plan-check.js';
import { PlanMaker } from './plan-maker.js';
import type { SavedPlan, Said, PlanOptions } from '../model/saved-plan.js';
import { saidBy, transcriptOf } from './transcript.js';

/**
 * Plans of one operation: the one it must follow, and the one it makes. Every decision passes through here before it is
 * carried out. Refused decisions are not carried out.
 */
export class RunPlan {
  readonly #check: PlanCheck | undefined;
  readonly #maker: PlanMaker | undefined;
  readonly #said: Said[] = [];
  readonly #extensions: Record<string, Extension> = {};

  /** `begun`: resources that the operation only continues. They were judged when they were begun. */
  constructor(
    { make, follow }: PlanOptions,
    randomBytes: (length: number) => Uint8Array,
    begun: ReadonlySet<Urn> = new Set(),
  ) {
    this.#check = follow && new PlanCheck(follow, begun);
    this.#maker = make === true ? new PlanMaker(() => randomBytes(SEED_BYTES)) : undefined;
  }

  /** Returns the seed for names that a provider makes up, if one was planned. */
  seed(urn: Urn): Uint8Array | undefined {
    return this.#check?.seed(urn);
  }

  /** Records the decision about a registration or read. Returns its violations of the plan. */
  decided(facts: Facts | ReadFacts, chain: readonly Step[]): readonly Diagnostic[] {
    if (this.#check === undefined && this.#maker === undefined) return [];
    if (isRead(facts)) return this.steps(chain, facts.view);
    return this.#judge(
      decisionOf(facts, chain),
      chain.map((step) => ({ urn: currentUrn(step.urn, facts.view), kind: step.kind })),
    );
  }

  /**
   * Records that a registration was left out of the operation's scope. A plan contains it as `same`, so that it must be
   * left out again.
   */
  leftOut(facts: Facts | ReadFacts): readonly Diagnostic[] {
    if (isRead(facts) || (this.#check === undefined && this.#maker === undefined)) return [];
    return this.#judge(leftOutDecision(facts), [{ urn: facts.goal.urn, kind: 'same' }]);
  }

  /**
   * Records steps that no goal requested: reads, and those of the final phase. Either all or none of them may be taken.
   */
  steps(steps: readonly Step[], view: RunView): readonly Diagnostic[] {
    if (this.#check === undefined && this.#maker === undefined) return [];
    return this.#count(steps.map((step) => ({ urn: currentUrn(step.urn, view), kind: step.kind })));
  }

  /** Records registered outputs. Returns their violation of the plan, if any. */
  outputs(urn: Urn, olds: PropertyMap, news: PropertyMap): readonly Diagnostic[] {
    const against = this.#check?.outputs(urn, olds, news);
    if (against !== undefined) return [against];
    this.#maker?.outputs(urn, olds, news);
    return [];
  }

  /**
   * Returns violations for planned steps that were not taken. `existed` tells whether the stack had the resource when
   * the operation began.
   */
  leftovers(existed: (urn: Urn) => boolean): readonly Diagnostic[] {
    return this.#check?.leftovers(existed) ?? [];
  }

  /** Records a registration of the program, or of a replay on its behalf. */
  heard(registration: Registration): void {
    if (this.#maker !== undefined) this.#said.push(saidBy(registration));
  }

  /** Records that the program extends a package. */
  extended(ref: string, extension: Extension): void {
    if (this.#maker !== undefined) this.#extensions[ref] = extension;
  }

  /** Returns the plan that was made, or `undefined` if none was requested. `extensions`: those of the stack. */
  made(extensions: Readonly<Record<string, Extension>> = {}): SavedPlan | undefined {
    const resources = this.#maker?.resources();
    return (
      resources && { resources, transcript: transcriptOf(this.#said, { ...extensions, ...this.#extensions }) }
    );
  }

  #judge(decision: Decision, steps: readonly PlannedStep[]): readonly Diagnostic[] {
    const against = this.#check?.goal(decision);
    if (against !== undefined) return [against];
    const refused = this.#count(steps);
    if (refused.length === 0) this.#maker?.goal(decision);
    return refused;
  }

  #count(steps: readonly PlannedStep[]): readonly Diagnostic[] {
    const refused = steps.flatMap(({ urn, kind }) => this.#check?.step(urn, kind) ?? []);
    if (refused.length > 0) return refused;
    for (const { urn, kind } of steps) this.#maker?.step(urn, kind);
    return [];
  }
}

/** A step under the URN that plans use for its resource. */
interface PlannedStep {
  readonly urn: Urn;
  readonly kind: StepKind;
}

const SEED_BYTES = 32;

/** Replaces an old URN that a registration took over through an alias with that registration's URN. */
function currentUrn(urn: Urn, view: RunView): Urn {
  return view.claimedBy(urn) ?? urn;
}
