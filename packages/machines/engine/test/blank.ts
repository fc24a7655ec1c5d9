import type { Urn } from '@cairn/addresses';
import { emptyMap } from '@cairn/values';
import { noRequestOptions } from '@cairn/wire';
import type { RegisterResourceRequest } from '@cairn/wire';
import type { Goal } from '../src/model/goal.js';
import { goalOf } from '../src/model/options.js';

/** A registration in which the program sets nothing: everything but its type and name. */
export const blankRequest: Omit<RegisterResourceRequest, 'type' | 'name'> = {
  parent: '',
  custom: true,
  remote: false,
  inputs: emptyMap,
  ...noRequestOptions,
  sourcePosition: undefined,
  stackTrace: [],
  accepts: { secrets: true, resources: true, partialValues: true, resultReporting: true },
  aliasSpecs: true,
};

const {
  urn: _urn,
  type: _type,
  name: _name,
  inputs: _inputs,
  ...blank
} = goalOf({
  urn: '' as Urn,
  type: '',
  name: '',
  custom: true,
});

/** The same as a goal, after it has passed through the monitor. */
export const blankGoal: Omit<Goal, 'urn' | 'type' | 'name' | 'inputs'> = blank;
