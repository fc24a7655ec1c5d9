import { UNKNOWN_ID, isUrn, parseProviderReference, urnName } from '@cairn/addresses';
import type { ProviderReference } from '@cairn/addresses';
import type { CustomTimeouts, ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { Goal } from '../model/goal.js';
import type { OptionForm } from '../model/option-forms.js';
import { OPTIONS, PLANNED_OPTIONS, isStored } from '../model/options.js';
import type { PlannedOption } from '../model/options.js';
import type { PlannedGoal, PropertyPlan } from '../model/saved-plan.js';
import { noPropertyPlan, propertyViolation } from './property-plan.js';

/** Returns the part of a goal that a plan keeps. */
export function plannedGoal(goal: Goal, inputs: PropertyPlan): PlannedGoal {
  const { type, name, custom, parent, provider } = goal;
  const options = Object.fromEntries(PLANNED_OPTIONS.map((option) => [option, goal[option]]));
  return {
    type,
    name,
    custom,
    parent,
    provider,
    ...(options as Pick<Goal, PlannedOption>),
    inputs,
    outputs: noPropertyPlan,
  };
}

/**
 * Returns the goal that leaves a resource outside the plan as it is. Parts that state does not keep are taken from the
 * goal [PLAN-5].
 */
export function unchangedGoal(entry: ResourceEntry, goal: Goal): PlannedGoal {
  const known = entry.importId === '' ? entry.id : entry.importId;
  const stored = PLANNED_OPTIONS.filter(isStored).map((option) => [option, entry[option]]);
  return {
    ...plannedGoal(goal, noPropertyPlan),
    custom: entry.custom,
    parent: entry.parent,
    provider: entry.provider,
    ...(Object.fromEntries(stored) as Partial<PlannedGoal>),
    importId: goal.importId === '' ? '' : known,
  };
}

/**
 * Describes the difference between a goal and the planned one, as the end of a sentence [PLAN-4] [PLAN-6]. Returns
 * `undefined` if there is none. `olds` and `news`: inputs of the prior entry that count, and the checked ones.
 */
export function goalViolation(
  planned: PlannedGoal,
  goal: Goal,
  olds: PropertyMap,
  news: PropertyMap,
): string | undefined {
  const stated = plannedGoal(goal, noPropertyPlan);
  for (const rule of RULES) {
    const violation = rule(planned, stated);
    if (violation !== undefined) return violation;
  }
  return propertyViolation(planned.inputs, olds, news);
}

type Rule = (planned: PlannedGoal, goal: PlannedGoal) => string | undefined;

const RULES: readonly Rule[] = [
  exactly('kind of resource', ({ custom }) => (custom ? 'custom' : 'component')),
  (planned, goal) =>
    sameProvider(planned.provider, goal.provider)
      ? undefined
      : changed('provider', planned.provider, goal.provider),
  exactly('parent', ({ parent }) => parent),
  ...PLANNED_OPTIONS.flatMap((option) => optionRules(option, OPTIONS[option].planned.what)),
];

/** Returns the rules that compare an option with the planned one. They depend on its form; lists are sets. */
function optionRules(option: PlannedOption, what: string): readonly Rule[] {
  const form = OPTIONS[option].form as OptionForm;
  switch (form) {
    case 'timeouts':
      return (['create', 'update', 'delete'] as const).map((step) =>
        exactly(`${step} ${what}`, (goal) => `${(goal[option] as CustomTimeouts)[step]}s`),
      );
    case 'texts':
    case 'urns':
    case 'urnSet':
      return [asSets(what, (goal) => goal[option] as readonly string[])];
    case 'urnLists':
      return [byProperty(what, (goal) => goal[option] as ByProperty)];
    case 'flag':
    case 'choice':
    case 'text':
    case 'label':
    case 'urn':
    case 'reference':
    case 'rollback':
      return [exactly(what, (goal) => (goal[option] === undefined ? undefined : String(goal[option])))];
    default:
      return [exactly(what, (goal) => JSON.stringify(goal[option]))];
  }
}

type ByProperty = Goal['propertyDependencies'];

function exactly(what: string, of: (goal: PlannedGoal) => string | undefined): Rule {
  return (planned, goal) => (of(planned) === of(goal) ? undefined : changed(what, of(planned), of(goal)));
}

function asSets(what: string, of: (goal: PlannedGoal) => readonly string[]): Rule {
  return (planned, goal) => setChange(what, of(planned), of(goal));
}

/**
 * Makes the rule for dependencies by property. A property that was unknown when planned may be left out later, and its
 * dependencies with it.
 */
function byProperty(what: string, of: (goal: PlannedGoal) => ByProperty): Rule {
  return (planned, goal) => {
    const given = of(goal);
    for (const [key, urns] of Object.entries(of(planned))) {
      if (!Object.hasOwn(given, key)) continue;
      const change = setChange(`${what} ${key}`, urns, given[key] ?? []);
      if (change !== undefined) return change;
    }
    return undefined;
  };
}

/**
 * Tells whether two providers match. The plan does not know the id of a provider that the preview would only have
 * created.
 */
function sameProvider(planned: ProviderReference | undefined, given: ProviderReference | undefined): boolean {
  if (planned === given) return true;
  if (planned === undefined || given === undefined) return false;
  const wanted = parseProviderReference(planned);
  return wanted.id === UNKNOWN_ID && wanted.urn === parseProviderReference(given).urn;
}

function changed(what: string, from: string | undefined, to: string | undefined): string {
  return `${what} changed from ${quoted(from)} to ${quoted(to)}`;
}

function quoted(text: string | undefined): string {
  return text === undefined || text === '' ? 'none' : JSON.stringify(text);
}

function setChange(what: string, planned: readonly string[], given: readonly string[]): string | undefined {
  const before = new Set(planned);
  const after = new Set(given);
  const added = [...after].filter((each) => !before.has(each)).map((each) => `added ${shown(each)}`);
  const gone = [...before].filter((each) => !after.has(each)).map((each) => `removed ${shown(each)}`);
  const changes = [...added, ...gone];
  return changes.length === 0 ? undefined : `${what} changed: ${changes.join(', ')}`;
}

function shown(item: string): string {
  return isUrn(item) ? `${JSON.stringify(urnName(item))} (${item})` : JSON.stringify(item);
}
