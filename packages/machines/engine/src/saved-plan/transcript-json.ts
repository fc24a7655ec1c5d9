import { encodeExtension } from '@cairn/state';
import type { Json, JsonObject, ValueEncoder } from '@cairn/state';
import type { Goal, ReadGoal } from '../model/goal.js';
import type { RegisteredOutputs } from '../model/registration.js';
import type { Said, Transcript } from '../model/saved-plan.js';

/** Encodes a transcript for plan files. Values are encoded as in state files. */
export function transcriptJson(transcript: Transcript, values: ValueEncoder): JsonObject {
  if (transcript.t === 'incomplete') return { incomplete: transcript.why };
  const { said, extensions } = transcript;
  return {
    said: said.map((each) => saidJson(each, values)),
    extensions: Object.fromEntries(
      Object.entries(extensions).map(([ref, extension]) => [ref, encodeExtension(extension)]),
    ),
  };
}

function saidJson(said: Said, values: ValueEncoder): JsonObject {
  switch (said.t) {
    case 'register':
      return { register: goalJson(said.goal, values) };
    case 'read':
      return { read: readJson(said.goal, values) };
    case 'outputs':
      return { outputs: outputsJson(said, values) };
  }
}

function outputsJson({ urn, outputs, lateInputs }: RegisteredOutputs, values: ValueEncoder): JsonObject {
  return {
    urn,
    outputs: values.map(outputs),
    ...(lateInputs !== undefined && { lateInputs: values.map(lateInputs) }),
  };
}

/** Encodes a goal without hooks: they are functions of a program, so goals that have any are in no transcript. */
function goalJson(
  { inputs, replacementTrigger, resourceHooks: _none, ...plain }: Goal,
  values: ValueEncoder,
): JsonObject {
  return {
    ...plainJson(plain),
    inputs: values.map(inputs),
    ...(replacementTrigger !== undefined && { replacementTrigger: values.value(replacementTrigger) }),
  };
}

function readJson({ properties, ...plain }: ReadGoal, values: ValueEncoder): JsonObject {
  return { ...plainJson(plain), properties: values.map(properties) };
}

/** Encodes members that contain no values of resources. Undefined and empty members are left out. */
function plainJson(members: Readonly<Record<string, unknown>>): JsonObject {
  const kept = Object.entries(members).filter(([, value]) => !isEmpty(value));
  return JSON.parse(JSON.stringify(Object.fromEntries(kept))) as { [key: string]: Json };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
