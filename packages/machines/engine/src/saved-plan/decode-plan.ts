import { isUrn, urnParts } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { fail, messageOf } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import { OPTIONS, PLANNED_OPTIONS } from '../model/options.js';
import type { PlannedOption } from '../model/options.js';
import type { StepKind } from '../model/step-kinds.js';
import { kindOfOperation } from './operation-names.js';
import { PlanPlace } from './place.js';
import type { PlanSource } from './place.js';
import type { PlannedGoal, PropertyPlan, ResourcePlan, SavedPlan } from '../model/saved-plan.js';
import { readForm } from './read-form.js';
import { TRANSCRIPT_KEY, readTranscript } from './read-transcript.js';

/**
 * Reads the plan in a file [PLAN-1]. Throws CAIRN-PLAN-INVALID, naming the place, for a file that is not a plan or is a
 * plan of another stack. It also throws if the plan has a constraint that nothing would check, or secrets that cannot
 * be opened.
 */
export function decodePlan(text: string, source: PlanSource): SavedPlan {
  const root = new PlanPlace(parsed(text, source), '', source).object([
    'manifest',
    'config',
    'resourcePlans',
    TRANSCRIPT_KEY,
  ]);
  const resources = new Map<Urn, ResourcePlan>();
  root.at('manifest').object();
  for (const [key, resource] of root.at('resourcePlans').entries()) {
    resources.set(ownUrn(key, resource, source), resourcePlan(resource));
  }
  return { resources, transcript: readTranscript(root.at(TRANSCRIPT_KEY)) };
}

function parsed(text: string, { file }: PlanSource): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    return fail('CAIRN-PLAN-INVALID', `${file} is not a saved plan: it is not JSON`, {
      source: { file },
      causes: [messageOf(error)],
    });
  }
}

function ownUrn(key: string, place: PlanPlace, { file, project, stack }: PlanSource): Urn {
  if (!isUrn(key)) return place.refuse('is not a URN');
  const home = urnParts(key);
  if (home.project === project && home.stack === stack) return key;
  return fail(
    'CAIRN-PLAN-INVALID',
    `${file} is a plan of stack ${home.stack} of project ${home.project}, not of ${stack} of ${project}`,
    { source: { file }, hint: 'Make a plan of this stack with `cairn preview --save-plan`.' },
  );
}

function resourcePlan(place: PlanPlace): ResourcePlan {
  const plan = place.object(['goal', 'steps', 'state', 'seed']);
  const seed = plan.at('seed').text();
  return {
    goal: plan.at('goal').isAbsent ? undefined : plannedGoal(plan.at('goal')),
    steps: plan.at('steps').items().map(step),
    outputs: plan.at('state').isAbsent ? undefined : plan.at('state').properties(),
    seed: seed === undefined ? undefined : new Uint8Array(Buffer.from(seed, 'base64')),
  };
}

function step(place: PlanPlace): StepKind {
  const name = place.text() ?? '';
  return kindOfOperation(name) ?? place.refuse(`is not a step: ${JSON.stringify(name)}`);
}

const GOAL_KEYS = [
  ...['type', 'name', 'custom', 'inputDiff', 'outputDiff', 'parent', 'provider'],
  ...PLANNED_OPTIONS.map((option) => OPTIONS[option].planned.key),
];

function plannedGoal(place: PlanPlace): PlannedGoal {
  const goal = place.object(GOAL_KEYS);
  const options = PLANNED_OPTIONS.map((option) => {
    const { planned, form } = OPTIONS[option];
    return [option, readForm(goal.at(planned.key), form)];
  });
  return {
    type: goal.at('type').text() ?? '',
    name: goal.at('name').text() ?? '',
    custom: goal.at('custom').flag() ?? false,
    parent: goal.at('parent').urn(),
    provider: goal.at('provider').reference(),
    ...(Object.fromEntries(options) as Pick<PlannedGoal, PlannedOption>),
    inputs: propertyPlan(goal.at('inputDiff')),
    outputs: propertyPlan(goal.at('outputDiff')),
  };
}

function propertyPlan(place: PlanPlace): PropertyPlan {
  const found = place.object(['adds', 'deletes', 'updates']);
  return {
    adds: found.at('adds').properties(),
    deletes: found.at('deletes').texts(),
    updates: found.at('updates').properties(),
  };
}
