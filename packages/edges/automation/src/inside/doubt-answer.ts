import type { DoubtResolution } from '@cairn/engine';
import { propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { DoubtAnswer } from '../records.js';

/** Converts a caller's answer about a step in doubt to the engine's form. */
export function readAnswer(answer: DoubtAnswer): DoubtResolution {
  if (typeof answer === 'string') return answer;
  const outputs = answer.outputs && propertyMap(answer.outputs as PropertyMap);
  return 'created' in answer ? { created: answer.created, outputs } : { done: true, outputs };
}
