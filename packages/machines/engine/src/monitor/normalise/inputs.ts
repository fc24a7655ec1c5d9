import { plainOutputsMap } from '@cairn/values';
import { invalid } from '../refusal.js';
import type { Pass } from './draft.js';

/** Output values are reduced to what they hold; only constructors of remote components see them [PRG-8]. */
export const plainInputs: Pass = ({ request }) => ({ goal: { inputs: plainOutputsMap(request.inputs) } });

/** Names of inputs that come later [REG-19]: what a transform has said of one of them counts. */
export const lateInputs: Pass = ({ request }) => {
  const { custom, remote, type, name, inputs } = request;
  if (request.lateInputs.length === 0) return undefined;
  if (custom || remote)
    throw invalid(`lateInputs is for local components; ${type} ${JSON.stringify(name)} is none`);
  return { goal: { lateInputs: request.lateInputs.filter((key) => !Object.hasOwn(inputs, key)) } };
};
