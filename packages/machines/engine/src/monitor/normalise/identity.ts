import { makeUrn, parseTypeToken } from '@cairn/addresses';
import { invalid, optionalUrn } from '../refusal.js';
import type { Pass } from './draft.js';

/** Sets URN and parent. Types of resources that a provider makes must be tokens; components may have any [REG-4]. */
export const identity: Pass = ({ request }, { identity: { stack, project }, resources }) => {
  const { type, name, custom, remote } = request;
  if ((custom || remote) && parseTypeToken(type) === undefined) {
    throw invalid(
      `type ${JSON.stringify(type)} of ${JSON.stringify(name)} is not of the form package:module:name`,
    );
  }
  const parent = optionalUrn(request.parent, 'parent');
  return {
    goal: { urn: makeUrn({ stack, project, parent, type, name }), type, name, custom, parent },
    parent: parent === undefined ? undefined : resources.get(parent),
  };
};
