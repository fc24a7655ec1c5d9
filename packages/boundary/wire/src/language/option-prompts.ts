import type { RuntimeOptionChoice, RuntimeOptionPrompt } from '../contracts/language.js';
import { RuntimeOptionPrompt_RuntimeOptionType as Type } from '../generated/pulumi/language.js';
import type {
  RuntimeOptionPrompt as WirePrompt,
  RuntimeOptionPrompt_RuntimeOptionValue as WireChoice,
} from '../generated/pulumi/language.js';

/** Decodes a question about an option of the runtime. */
export function decodePrompt({
  key,
  description,
  promptType,
  choices,
  default: chosen,
}: WirePrompt): RuntimeOptionPrompt {
  return {
    key,
    description,
    type: promptType === Type.INT32 ? 'integer' : 'string',
    choices: choices.map(decodeChoice),
    default: chosen === undefined ? undefined : decodeChoice(chosen),
  };
}

function decodeChoice({ promptType, stringValue, int32Value, displayName }: WireChoice): RuntimeOptionChoice {
  const value = promptType === Type.INT32 ? int32Value : stringValue;
  return { value, label: displayName === '' ? String(value) : displayName };
}

/** Encodes a question about an option of the runtime. */
export function encodePrompt({
  key,
  description,
  type,
  choices,
  default: chosen,
}: RuntimeOptionPrompt): WirePrompt {
  return {
    key,
    description,
    promptType: typeOf(type),
    choices: choices.map((choice) => encodeChoice(choice, type)),
    default: chosen && encodeChoice(chosen, type),
  };
}

const typeOf = (type: RuntimeOptionPrompt['type']) => (type === 'integer' ? Type.INT32 : Type.STRING);

function encodeChoice({ value, label }: RuntimeOptionChoice, type: RuntimeOptionPrompt['type']): WireChoice {
  return {
    promptType: typeOf(type),
    stringValue: typeof value === 'string' ? value : '',
    int32Value: typeof value === 'number' ? value : 0,
    displayName: label,
  };
}
