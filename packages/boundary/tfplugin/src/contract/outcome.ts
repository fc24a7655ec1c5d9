import type { Block } from '../schema/index.js';
import { impliedType } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import { conform } from '../values/index.js';
import type { Action, ReplaceReason } from './action.js';
import { chooseAction } from './action.js';
import type { ContractFinding } from './finding.js';
import { ContractFindings } from './finding.js';
import { ignoreAttributes } from './ignore-changes.js';
import type { Ignored } from './ignore-changes.js';
import { planValidity } from './plan-validity.js';
import { replacePaths } from './replace-paths.js';
import { writeOnlyValues } from './write-only.js';

/** Request of a plan. */
export interface PlanQuestion {
  readonly block: Block;
  /** Prior state, even of a tainted object, although it is withheld from the provider. */
  readonly prior: TfValue;
  /** Configuration as it was sent; null for a delete. */
  readonly config: TfValue;
  readonly tainted?: boolean;
  /** True if the user requested a replacement. */
  readonly forced?: boolean;
  readonly ignored?: Ignored;
  /** Paths below which values are secret, whatever the schema says. */
  readonly masks?: readonly TfPath[];
}

/** Answer of the provider to a plan, without error. */
export interface PlanAnswer {
  readonly planned: TfValue;
  readonly requiresReplace: readonly TfPath[];
  /** True if the answer is of the old type system [TFC-15]. */
  readonly legacy: boolean;
  readonly deferred?: boolean;
}

/** Judgement of a plan answer as a whole. */
export interface PlanOutcome {
  /** Violations. The change is refused if there are any. */
  readonly findings: readonly ContractFinding[];
  /** Findings that are only logged, because the answer is of the old type system. */
  readonly notes: readonly ContractFinding[];
  readonly action: Action;
  readonly reason?: ReplaceReason;
  /** Paths that require a replacement. */
  readonly replacePaths: readonly TfPath[];
  /** Effective plan, with ignored changes reverted where the provider's types cannot keep them. */
  readonly planned: TfValue;
  /** True if a second plan, like that of a create, is needed [TFC-11]. It is judged by {@link secondPlanOutcome}. */
  readonly secondPlan: boolean;
}

/** Judges the first plan of a change, or the only one. */
export function planOutcome(question: PlanQuestion, answer: PlanAnswer): PlanOutcome {
  const { block, config, ignored, tainted = false, forced = false } = question;
  const told = tainted ? null : question.prior;
  const { findings, notes } = judged(question, told, answer);
  const planned =
    answer.legacy && ignored !== undefined && findings.length === 0
      ? ignoreAttributes(block, told, answer.planned, ignored)
      : answer.planned;
  const usable = findings.length === 0;
  const required = usable ? replacePaths(block, told, planned, answer.requiresReplace) : undefined;
  const { kept = [], writeOnly = false } = required ?? {};
  const facts = { block, prior: question.prior, planned, tainted, forced, kept, writeOnly };
  const chosen = chooseAction(config === null ? { ...facts, planned: null } : facts);
  return {
    findings: [...findings, ...(required?.findings ?? [])],
    notes,
    ...chosen,
    replacePaths: kept,
    planned,
    secondPlan: chosen.action === 'replace' && !tainted,
  };
}

/** Judges the second plan of a replacement like that of a create, before anything is deleted [TFC-11]. */
export function secondPlanOutcome(
  question: Pick<PlanQuestion, 'block' | 'config' | 'masks'>,
  answer: PlanAnswer,
): Pick<PlanOutcome, 'findings' | 'notes' | 'planned'> {
  return { ...judged({ ...question, prior: null }, null, answer), planned: answer.planned };
}

/** Returns the facts about the object that a plan request contains: none if the object is tainted [TFC-14]. */
export function toldOf<T>(known: T, tainted: boolean, nothing: T): T {
  return tainted ? nothing : known;
}

function judged(
  { block, config, masks }: PlanQuestion,
  prior: TfValue,
  answer: PlanAnswer,
): Pick<PlanOutcome, 'findings' | 'notes'> {
  const hard = new ContractFindings(masks);
  if (answer.deferred === true) hard.add([], 'DEFERRED');
  const mismatches = conform(impliedType(block), answer.planned);
  for (const { path } of mismatches) hard.add(path, 'PLAN_TYPE');
  if (config === null && answer.planned !== null) hard.add([], 'DESTROY_PLANNED_PRESENT');
  if (hard.all.length > 0) return { findings: hard.all, notes: [] };
  for (const path of writeOnlyValues(block, answer.planned)) hard.add(path, 'PLAN_WRITE_ONLY');
  const found = planValidity(block, prior, config, answer.planned, masks);
  return answer.legacy
    ? { findings: hard.all, notes: found }
    : { findings: [...found, ...hard.all], notes: [] };
}
