import { matchesGlob } from '@cairn/addresses';
import { WEEKDAYS } from './policy.js';
import type {
  HoursOfDay,
  PlannedStep,
  ApprovalPolicy,
  PolicyAnswer,
  PolicyDecision,
  PlanFacts,
  PolicyRule,
  PolicyStepKind,
} from './policy.js';

/** Kinds that always need an approval, whatever the rules say. */
const NEVER_ALONE: ReadonlySet<PolicyStepKind> = new Set<PolicyStepKind>(['delete', 'replace']);
const STRICTNESS = ['apply', 'approve', 'refuse'] as const satisfies readonly PolicyAnswer[];
/** Words about one step, and about several. */
const WORDS: Readonly<Record<PolicyAnswer, readonly [one: string, several: string]>> = {
  apply: ['apply', 'apply'],
  approve: ['needs an approval', 'need an approval'],
  refuse: ['is refused', 'are refused'],
};

/** Answer for one step, with the reason that it shares with others. */
interface Judged {
  readonly step: PlannedStep;
  readonly answer: PolicyAnswer;
  readonly because: string;
}

/**
 * Decides about a plan [AGT-3]. The first rule that applies to a step decides about it; a step without a rule needs an
 * approval. The strictest answer of all steps is that of the plan.
 */
export function decidePlan(policy: ApprovalPolicy, facts: PlanFacts): PolicyDecision {
  const applicable = policy.rules.filter((rule) => rulesApply(rule, facts));
  const judged = facts.steps.map((step) => judge(step, applicable));
  return { answer: strictest(judged.map(({ answer }) => answer)), reasons: reasonsOf(judged) };
}

function judge(step: PlannedStep, rules: readonly PolicyRule[]): Judged {
  const rule = rules.find((each) => concerns(each, step));
  const answer = rule?.then ?? 'approve';
  if (answer === 'apply' && NEVER_ALONE.has(step.kind))
    return { step, answer: 'approve', because: `a ${step.kind} always needs one` };
  return { step, answer, because: rule === undefined ? 'no rule applies' : `rule "${rule.name}"` };
}

/** Returns the strictest answer. A plan without steps is applied. */
function strictest(answers: readonly PolicyAnswer[]): PolicyAnswer {
  return STRICTNESS.findLast((answer) => answers.includes(answer)) ?? 'apply';
}

/** Returns one sentence for all steps with the same answer and reason, the strictest first. */
function reasonsOf(judged: readonly Judged[]): readonly string[] {
  const groups = new Map<
    string,
    { readonly answer: PolicyAnswer; readonly steps: PlannedStep[]; readonly because: string }
  >();
  for (const { step, answer, because } of judged) {
    const name = `${answer} ${because}`;
    const group = groups.get(name) ?? { answer, because, steps: [] };
    group.steps.push(step);
    groups.set(name, group);
  }
  return [...groups.values()]
    .sort((a, b) => STRICTNESS.indexOf(b.answer) - STRICTNESS.indexOf(a.answer))
    .map(
      ({ answer, steps, because }) =>
        `${countsOf(steps)} ${WORDS[answer][steps.length === 1 ? 0 : 1]}: ${because}`,
    );
}

/** Counts steps by kind: `1 create, 2 update`. */
function countsOf(steps: readonly PlannedStep[]): string {
  const counts = new Map<PolicyStepKind, number>();
  for (const { kind } of steps) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
}

/** Tells whether the conditions hold that are the same for every step. */
function rulesApply(rule: PolicyRule, facts: PlanFacts): boolean {
  const { requests, by, hours, moreThan } = rule.when;
  if (requests !== undefined && !requests.includes(facts.request)) return false;
  if (by !== undefined && !by.some((glob) => matchesGlob(glob, facts.by))) return false;
  if (hours !== undefined && !isWithin(hours, facts.at)) return false;
  return moreThan === undefined || facts.steps.filter((step) => concerns(rule, step)).length > moreThan;
}

function concerns({ when: { kinds, types } }: PolicyRule, step: PlannedStep): boolean {
  if (kinds !== undefined && !kinds.includes(step.kind)) return false;
  return types === undefined || types.some((glob) => matchesGlob(glob, step.type, ':'));
}

/** Tells whether a time is within the hours, by the clock of their zone. `to` is excluded. */
export function isWithin({ from, to, zone, days = WEEKDAYS }: HoursOfDay, at: Date): boolean {
  const { day, minutes } = wallClock(at, zone);
  const before = (day + 6) % 7;
  const begins = (on: number): boolean => days.includes(WEEKDAYS[on] as (typeof WEEKDAYS)[number]);
  if (from < to) return begins(day) && minutes >= from && minutes < to;
  return (minutes >= from && begins(day)) || (minutes < to && begins(before));
}

/** Returns the day of the week and the minutes since midnight in a zone. */
function wallClock(at: Date, zone: string): { readonly day: number; readonly minutes: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = WEEKDAYS.findIndex((name) => name === parts.get('weekday')?.toLowerCase());
  return { day, minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}
