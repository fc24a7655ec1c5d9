import type { Resolution } from '@cairn/engine';
import { propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { DoubtAnswer } from '../records.js';

/** What somebody says of a step in doubt, as the engine takes it. */
export function readAnswer(answer: DoubtAnswer): Resolution {
  if (typeof answer === 'string') return answer;
  const outputs = answer.outputs && propertyMap(answer.outputs as PropertyMap);
  return 'created' in answer ? { created: answer.created, outputs } : { done: true, outputs };
}
