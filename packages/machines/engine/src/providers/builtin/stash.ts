import { equal, getProperty, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import { oneDifference, onlyInput } from './builtin-resource.js';
import type { BuiltinResource } from './builtin-resource.js';

const input = (map: PropertyMap) => getProperty(map, 'input') ?? null;

/** Keeps the first value it received as `output`. `input` follows the program [PROV-8]. */
export const stash: BuiltinResource = {
  check: ({ news }) => ({ inputs: news, failures: onlyInput(news, 'input') }),
  diff: ({ oldInputs, news }) => oneDifference(!equal(input(oldInputs), input(news)), 'input', false),
  async create({ inputs, preview }, { ports }) {
    const outputs = propertyMap({ input: input(inputs), output: input(inputs) });
    return { id: preview ? '' : ports.newId(), outputs, refreshBeforeUpdate: false };
  },
  async read({ id, inputs, state }) {
    if (inputs === undefined || state === undefined) {
      throw new ProviderError('UNIMPLEMENTED', 'stash can not be imported');
    }
    return { id, inputs, outputs: state, refreshBeforeUpdate: false };
  },
  update: ({ oldOutputs, news }) => ({
    outputs: propertyMap({ input: input(news), output: getProperty(oldOutputs, 'output') ?? null }),
    refreshBeforeUpdate: false,
  }),
};
