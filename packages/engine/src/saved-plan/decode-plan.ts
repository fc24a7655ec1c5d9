import { asProviderReference, isUrn, urnParts } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { fail, isCairnError, messageOf } from '@cairn/diagnostics';
import { decodeMap, isJsonObject, noTimeouts } from '@cairn/state';
import type { CustomTimeouts, Json, JsonObject } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { StepKind } from '../steps/kinds.js';
import type { PlanCrypter } from './encode-plan.js';
import { kindOfOperation } from './operation-names.js';
import type { PlannedGoal, PropertyPlan, ResourcePlan, SavedPlan } from './plan.js';

/** Where a plan comes from, and for which stack it must be. */
export interface PlanSource {
  /** The file, for messages. */
  readonly file: string;
  readonly project: string;
  readonly stack: string;
  readonly crypter: PlanCrypter;
}

/**
 * The plan that a file holds (engine-behaviours-2.md A6 "File"). Throws CAIRN-PLAN-INVALID, naming the place, for a file that
 * is no plan, that is another stack's, that has a constraint nobody would check, or whose secrets cannot be opened.
 */
export function decodePlan(text: string, source: PlanSource): SavedPlan {
  const root = new Place(parsed(text, source), '', source).object(['manifest', 'config', 'resourcePlans']);
  const resources = new Map<Urn, ResourcePlan>();
  root.at('manifest').object();
  for (const [key, resource] of root.at('resourcePlans').entries()) {
    resources.set(ownUrn(key, resource, source), resourcePlan(resource));
  }
  return { resources };
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

function ownUrn(key: string, place: Place, { file, project, stack }: PlanSource): Urn {
  if (!isUrn(key)) return place.refuse('is not a URN');
  const home = urnParts(key);
  if (home.project === project && home.stack === stack) return key;
  return fail(
    'CAIRN-PLAN-INVALID',
    `${file} is a plan of stack ${home.stack} of project ${home.project}, not of ${stack} of ${project}`,
    { source: { file }, hint: 'Make a plan of this stack: cairn preview --save-plan' },
  );
}

function resourcePlan(place: Place): ResourcePlan {
  const plan = place.object(['goal', 'steps', 'state', 'seed']);
  const seed = plan.at('seed').text();
  return {
    goal: plan.at('goal').isAbsent ? undefined : plannedGoal(plan.at('goal')),
    steps: plan.at('steps').items().map(step),
    outputs: plan.at('state').isAbsent ? undefined : plan.at('state').properties(),
    seed: seed === undefined ? undefined : new Uint8Array(Buffer.from(seed, 'base64')),
  };
}

function step(place: Place): StepKind {
  const name = place.text() ?? '';
  return kindOfOperation(name) ?? place.refuse(`is no step: ${JSON.stringify(name)}`);
}

const GOAL_KEYS = [
  'type',
  'name',
  'custom',
  'inputDiff',
  'outputDiff',
  'parent',
  'protect',
  'dependencies',
  'provider',
  'propertyDependencies',
  'deleteBeforeReplace',
  'ignoreChanges',
  'additionalSecretOutputs',
  'aliases',
  'id',
  'customTimeouts',
] as const;

function plannedGoal(place: Place): PlannedGoal {
  const goal = place.object(GOAL_KEYS);
  return {
    type: goal.at('type').text() ?? '',
    name: goal.at('name').text() ?? '',
    custom: goal.at('custom').flag() ?? false,
    parent: goal.at('parent').urn(),
    provider: reference(goal.at('provider')),
    protect: goal.at('protect').flag() ?? false,
    deleteBeforeReplace: goal.at('deleteBeforeReplace').flag(),
    dependencies: goal.at('dependencies').urns(),
    propertyDependencies: Object.fromEntries(
      goal
        .at('propertyDependencies')
        .entries()
        .map(([key, urns]) => [key, urns.urns()]),
    ),
    ignoreChanges: goal.at('ignoreChanges').texts(),
    additionalSecretOutputs: goal.at('additionalSecretOutputs').texts(),
    aliases: goal.at('aliases').urns(),
    importId: goal.at('id').text() ?? '',
    customTimeouts: timeouts(goal.at('customTimeouts')),
    inputs: propertyPlan(goal.at('inputDiff')),
    outputs: propertyPlan(goal.at('outputDiff')),
  };
}

function reference(place: Place): ProviderReference | undefined {
  const text = place.text();
  if (text === undefined || text === '') return undefined;
  try {
    return asProviderReference(text);
  } catch (error) {
    return place.refuse(messageOf(error));
  }
}

function timeouts(place: Place): CustomTimeouts {
  const found = place.object(Object.keys(noTimeouts));
  const seconds = (key: keyof CustomTimeouts) => found.at(key).number() ?? 0;
  return {
    create: seconds('create'),
    update: seconds('update'),
    delete: seconds('delete'),
    read: seconds('read'),
  };
}

function propertyPlan(place: Place): PropertyPlan {
  const found = place.object(['adds', 'deletes', 'updates']);
  return {
    adds: found.at('adds').properties(),
    deletes: found.at('deletes').texts(),
    updates: found.at('updates').properties(),
  };
}

/** A JSON value with where it stands. Absent and null are the same. */
class Place {
  constructor(
    private readonly json: Json | undefined,
    private readonly path: string,
    private readonly source: PlanSource,
  ) {}

  get isAbsent(): boolean {
    return this.json === undefined || this.json === null;
  }

  at(key: string): Place {
    const json = isJsonObject(this.json) && Object.hasOwn(this.json, key) ? this.json[key] : undefined;
    return new Place(json, this.path === '' ? key : `${this.path}.${key}`, this.source);
  }

  /** The place, which must hold an object (or nothing); with `known`, one of only these keys: each limits something. */
  object(known?: readonly string[]): Place {
    const other = Object.keys(this.#map()).find((key) => known !== undefined && !known.includes(key));
    return other === undefined ? this : this.at(other).refuse('is not known here');
  }

  entries(): readonly (readonly [string, Place])[] {
    return Object.keys(this.#map()).map((key) => [key, this.at(key)]);
  }

  items(): readonly Place[] {
    if (this.isAbsent) return [];
    if (!Array.isArray(this.json)) return this.refuse('is not a list');
    return (this.json as readonly Json[]).map(
      (item, index) => new Place(item, `${this.path}[${index}]`, this.source),
    );
  }

  text(): string | undefined {
    return this.#scalar('string', 'a text');
  }

  number(): number | undefined {
    return this.#scalar('number', 'a number');
  }

  flag(): boolean | undefined {
    return this.#scalar('boolean', 'true or false');
  }

  texts(): readonly string[] {
    return this.items().map((item) => item.text() ?? '');
  }

  urn(): Urn | undefined {
    const text = this.text();
    if (text === undefined || text === '') return undefined;
    return isUrn(text) ? text : this.refuse('is not a URN');
  }

  urns(): readonly Urn[] {
    return this.items().map((item) => item.urn() ?? item.refuse('is not a URN'));
  }

  properties(): PropertyMap {
    if (this.isAbsent) return emptyMap;
    try {
      return decodeMap(this.#map(), this.source.crypter);
    } catch (error) {
      if (isCairnError(error)) return this.refuse('has secrets that this stack cannot open', [error.message]);
      return this.refuse(messageOf(error));
    }
  }

  refuse(why: string, causes: readonly string[] = []): never {
    const { file } = this.source;
    const what = this.path === '' ? 'it' : this.path;
    return fail('CAIRN-PLAN-INVALID', `${file} is not a plan that can be followed: ${what} ${why}`, {
      source: { file },
      causes,
      hint: 'Make a new plan: cairn preview --save-plan',
    });
  }

  #map(): JsonObject {
    if (this.isAbsent) return {};
    return isJsonObject(this.json) ? this.json : this.refuse('is not a map');
  }

  #scalar<T extends string | number | boolean>(kind: string, what: string): T | undefined {
    if (this.isAbsent) return undefined;
    return typeof this.json === kind ? (this.json as T) : this.refuse(`is not ${what}`);
  }
}
