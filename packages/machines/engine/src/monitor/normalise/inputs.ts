import { plainOutputsMap } from '@cairn/values';
import { invalid } from '../refusal.js';
import type { NormalisePass } from './draft.js';

/** Reduces output values to their content. Only constructors of remote components receive them [PRG-8]. */
export const plainInputs: NormalisePass = ({ request }) => ({
  goal: { inputs: plainOutputsMap(request.inputs) },
});

/** Takes the names of inputs that come later [REG-19]. If a transform has set one of them, that value counts. */
export const lateInputs: NormalisePass = ({ request }) => {
  const { custom, remote, type, name, inputs } = request;
  if (request.lateInputs.length === 0) return undefined;
  if (custom || remote)
    throw invalid(`lateInputs is for local components; ${type} ${JSON.stringify(name)} is not one`);
  return { goal: { lateInputs: request.lateInputs.filter((key) => !Object.hasOwn(inputs, key)) } };
};
