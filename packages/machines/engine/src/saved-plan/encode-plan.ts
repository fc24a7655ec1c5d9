import { goJson, goStruct, indentJson, ValueEncoder } from '@cairn/state';
import type { CustomTimeouts, Json, JsonObject, Manifest } from '@cairn/state';
import { containsSecret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { OptionForm } from '../model/option-forms.js';
import { OPTIONS, PLANNED_OPTIONS } from '../model/options.js';
import type { PlannedOption } from '../model/options.js';
import type { PlannedGoal, PropertyPlan, ResourcePlan, SavedPlan } from '../model/saved-plan.js';
import { operationName } from './operation-names.js';
import type { PlanCrypter } from './place.js';
import { TRANSCRIPT_KEY } from './read-transcript.js';
import { transcriptJson } from './transcript-json.js';
import { valuesOf } from './transcript.js';

/** Contents of a plan file besides the plan. */
interface PlanFileOptions {
  readonly manifest: Manifest;
  /** Configuration of the stack when the plan was made, secrets sealed. For people to read; never compared. */
  readonly config: JsonObject;
  readonly crypter: PlanCrypter;
  /** True to write secrets in plain text instead of sealed. Defaults to false. */
  readonly showSecrets?: boolean | undefined;
}

/**
 * Returns the text of a plan file [PLAN-1]: JSON with an indent of four spaces and a line break at the end. Values are
 * encoded as in state files. Fields are in the order of the format; URNs and keys of maps are sorted.
 */
export function encodePlan(plan: SavedPlan, options: PlanFileOptions): string {
  const { manifest, config, crypter, showSecrets = false } = options;
  const values = new ValueEncoder(crypter, { showSecrets });
  const resourcePlans: Record<string, Json> = {};
  for (const [urn, resource] of plan.resources) resourcePlans[urn] = resourceJson(resource, values);
  const { time, magic, version } = manifest;
  const document: Record<string, Json> = goStruct({ manifest: goStruct({ time, magic, version }) });
  if (Object.keys(config).length > 0) document['config'] = config;
  if (plan.resources.size > 0) document['resourcePlans'] = resourcePlans;
  if (plan.transcript !== undefined) document[TRANSCRIPT_KEY] = transcriptJson(plan.transcript, values);
  return `${indentJson(goJson(document, { structs: true }), 4)}\n`;
}

/** Tells whether any value of a plan is secret, so that its file needs a key. O(size of the plan). */
export function holdsSecrets(plan: SavedPlan): boolean {
  const said = plan.transcript === undefined ? [] : valuesOf(plan.transcript);
  const planned = [...plan.resources.values()].flatMap(mapsOf);
  return [...planned, ...said].some(containsSecret);
}

function mapsOf({ goal, outputs }: ResourcePlan): readonly PropertyMap[] {
  const plans = goal === undefined ? [] : [goal.inputs, goal.outputs];
  const maps = plans.flatMap(({ adds, updates }) => [adds, updates]);
  return outputs === undefined ? maps : [...maps, outputs];
}

function resourceJson({ goal, steps, outputs, seed }: ResourcePlan, values: ValueEncoder): JsonObject {
  return present({
    goal: goal && goalJson(goal, values),
    steps: steps.length === 0 ? undefined : steps.map(operationName),
    state: outputs === undefined ? null : values.map(outputs),
    seed: seed && Buffer.from(seed).toString('base64'),
  });
}

/** Fields of a goal in the order of the format. Fields that the format does not have come after them. */
const GOAL_FIELDS: readonly string[] = [
  ...['type', 'name', 'custom', 'inputDiff', 'outputDiff', 'parent', 'protect', 'dependencies', 'provider'],
  ...['propertyDependencies', 'deleteBeforeReplace', 'ignoreChanges', 'additionalSecretOutputs', 'aliases'],
  ...['id', 'customTimeouts'],
];
const PLANNED_FIELDS = PLANNED_OPTIONS.map((option) => ({
  option,
  key: OPTIONS[option].planned.key,
  form: OPTIONS[option].form as OptionForm,
}));
const LATER_FIELDS = PLANNED_FIELDS.map(({ key }) => key).filter((key) => !GOAL_FIELDS.includes(key));

function goalJson(goal: PlannedGoal, values: ValueEncoder): JsonObject {
  const { type, name, custom, parent, provider } = goal;
  const found: Record<string, Json | undefined> = {
    type,
    name,
    custom,
    inputDiff: propertiesJson(goal.inputs, values),
    outputDiff: propertiesJson(goal.outputs, values),
    parent,
    provider,
  };
  for (const { option, key, form } of PLANNED_FIELDS) found[key] = optionJson(goal[option], form);
  return present(Object.fromEntries([...GOAL_FIELDS, ...LATER_FIELDS].map((key) => [key, found[key]])));
}

/** Encodes an option. An option that is not set is left out, except flags and timeouts, which the format always has. */
function optionJson(value: PlannedGoal[PlannedOption], form: OptionForm): Json | undefined {
  if (form === 'timeouts') return timeoutsJson(value as CustomTimeouts);
  if (typeof value === 'boolean') return value;
  return value === undefined || value === '' || Object.keys(value).length === 0 ? undefined : (value as Json);
}

function propertiesJson({ adds, deletes, updates }: PropertyPlan, values: ValueEncoder): JsonObject {
  return present({
    adds: Object.keys(adds).length === 0 ? undefined : values.map(adds),
    deletes: listed(deletes),
    updates: Object.keys(updates).length === 0 ? undefined : values.map(updates),
  });
}

function timeoutsJson(timeouts: CustomTimeouts): JsonObject {
  const { create, update, delete: remove, read } = timeouts;
  const inOrder = Object.entries({ create, update, delete: remove, read });
  return goStruct(Object.fromEntries(inOrder.filter(([, seconds]) => seconds !== 0)));
}

function listed(items: readonly string[]): Json | undefined {
  return items.length === 0 ? undefined : items;
}

function present(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return goStruct(
    Object.fromEntries(
      Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined),
    ),
  );
}
