import { plainOutputsMap } from '@cairn/values';
import type { Pass } from './draft.js';

/** Output values are reduced to what they hold; only constructors of remote components see them [PRG-8]. */
export const plainInputs: Pass = ({ request }) => ({ goal: { inputs: plainOutputsMap(request.inputs) } });
