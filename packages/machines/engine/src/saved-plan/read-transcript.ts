import type { Goal, ReadGoal } from '../model/goal.js';
import { OPTIONS, READ_OPTIONS, SAID_OPTIONS, goalOf } from '../model/options.js';
import type { GoalOption, ReadOption } from '../model/options.js';
import type { Said, Transcript } from '../model/saved-plan.js';
import type { PlanPlace } from './place.js';
import { members, neededUrn, readForm } from './read-form.js';

/** Member of plan files that only Cairn uses; other tools do not know it. */
export const TRANSCRIPT_KEY = 'cairn';

/** Reads a transcript that {@link transcriptJson} has written; `undefined` if there is none. Refuses anything else. */
export function readTranscript(place: PlanPlace): Transcript | undefined {
  if (place.isAbsent) return undefined;
  const { incomplete, said, extensions } = members(place, ['incomplete', 'said', 'extensions']);
  const why = incomplete.text();
  if (why !== undefined) return { t: 'incomplete', why };
  return {
    t: 'complete',
    said: said.items().map(readSaid),
    extensions: extensions.extensions(),
  };
}

function readSaid(place: PlanPlace): Said {
  const { register, read, outputs } = members(place, ['register', 'read', 'outputs']);
  if (!register.isAbsent) return { t: 'register', goal: readGoal(register) };
  if (!read.isAbsent) return { t: 'read', goal: readReadGoal(read) };
  const { urn, outputs: values, lateInputs } = members(outputs, ['urn', 'outputs', 'lateInputs']);
  return {
    t: 'outputs',
    urn: neededUrn(urn),
    outputs: values.properties(),
    ...(!lateInputs.isAbsent && { lateInputs: lateInputs.properties() }),
  };
}

const SUBJECT_KEYS = ['urn', 'type', 'name', 'parent', 'provider'] as const;
const GOAL_KEYS = [...SUBJECT_KEYS, 'custom', 'inputs', ...SAID_OPTIONS] as const;
const READ_KEYS = [...SUBJECT_KEYS, 'id', 'idUnknown', 'properties', ...READ_OPTIONS] as const;

function readGoal(place: PlanPlace): Goal {
  const at = members(place, GOAL_KEYS);
  return goalOf({
    ...readSubject(at),
    custom: at.custom.flag() ?? false,
    inputs: at.inputs.properties(),
    ...(readOptions(SAID_OPTIONS, at) as Partial<Goal>),
  });
}

function readReadGoal(place: PlanPlace): ReadGoal {
  const at = members(place, READ_KEYS);
  return {
    ...readSubject(at),
    id: at.id.text() ?? '',
    idUnknown: at.idUnknown.flag() ?? false,
    properties: at.properties.properties(),
    ...(readOptions(READ_OPTIONS, at) as Pick<ReadGoal, ReadOption>),
  };
}

function readSubject(at: Readonly<Record<(typeof SUBJECT_KEYS)[number], PlanPlace>>) {
  return {
    urn: neededUrn(at.urn),
    type: at.type.text() ?? '',
    name: at.name.text() ?? '',
    parent: at.parent.urn(),
    provider: at.provider.reference(),
  };
}

function readOptions<K extends GoalOption>(names: readonly K[], at: Readonly<Record<K, PlanPlace>>): object {
  return Object.fromEntries(names.map((name) => [name, readForm(at[name], OPTIONS[name].form)]));
}
