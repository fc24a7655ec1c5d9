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
 * The plans of one operation: the one it is held to, and the one it makes. Every decision passes here before anything
 * of it is done; what is refused is not done.
 */
export class RunPlan {
  readonly #check: PlanCheck | undefined;
  readonly #maker: PlanMaker | undefined;
  readonly #said: Said[] = [];
  readonly #extensions: Record<string, Extension> = {};

  /** `begun`: resources that the operation only goes on with; they were judged when they were begun. */
  constructor(
    { make, follow }: PlanOptions,
    randomBytes: (length: number) => Uint8Array,
    begun: ReadonlySet<Urn> = new Set(),
  ) {
    this.#check = follow && new PlanCheck(follow, begun);
    this.#maker = make === true ? new PlanMaker(() => randomBytes(SEED_BYTES)) : undefined;
  }

  /** Seed for names that a provider makes up, if one was planned. */
  seed(urn: Urn): Uint8Array | undefined {
    return this.#check?.seed(urn);
  }

  /** A registration or read was decided. Gives what the plan has against it. */
  decided(facts: Facts | ReadFacts, chain: readonly Step[]): readonly Diagnostic[] {
    if (this.#check === undefined && this.#maker === undefined) return [];
    if (isRead(facts)) return this.steps(chain, facts.view);
    return this.#judge(
      decisionOf(facts, chain),
      chain.map((step) => ({ urn: currentUrn(step.urn, facts.view), kind: step.kind })),
    );
  }

  /**
   * A registration was left out of the operation's scope: in a plan it is `same`, so that it has to be left out again.
   */
  leftOut(facts: Facts | ReadFacts): readonly Diagnostic[] {
    if (isRead(facts) || (this.#check === undefined && this.#maker === undefined)) return [];
    return this.#judge(leftOutDecision(facts), [{ urn: facts.goal.urn, kind: 'same' }]);
  }

  /** Steps that no goal asked for: reads, and those of the final phase. All or none of them may be taken. */
  steps(steps: readonly Step[], view: RunView): readonly Diagnostic[] {
    if (this.#check === undefined && this.#maker === undefined) return [];
    return this.#count(steps.map((step) => ({ urn: currentUrn(step.urn, view), kind: step.kind })));
  }

  /** Outputs were registered. */
  outputs(urn: Urn, olds: PropertyMap, news: PropertyMap): readonly Diagnostic[] {
    const against = this.#check?.outputs(urn, olds, news);
    if (against !== undefined) return [against];
    this.#maker?.outputs(urn, olds, news);
    return [];
  }

  /** Planned steps that were not taken. `existed`: whether the stack had the resource when the operation began. */
  leftovers(existed: (urn: Urn) => boolean): readonly Diagnostic[] {
    return this.#check?.leftovers(existed) ?? [];
  }

  /** The program, or somebody for it, registers something. */
  heard(registration: Registration): void {
    if (this.#maker !== undefined) this.#said.push(saidBy(registration));
  }

  /** A package is extended by the program. */
  extended(ref: string, extension: Extension): void {
    if (this.#maker !== undefined) this.#extensions[ref] = extension;
  }

  /** The plan that was made; undefined when none was asked for. `extensions`: those that the stack holds. */
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

/** A step under the URN by which plans know its resource. */
interface PlannedStep {
  readonly urn: Urn;
  readonly kind: StepKind;
}

const SEED_BYTES = 32;

/** An old URN that a registration took over through an alias stands for that registration's URN. */
function currentUrn(urn: Urn, view: RunView): Urn {
  return view.claimedBy(urn) ?? urn;
}
