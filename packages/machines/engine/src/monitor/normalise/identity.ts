import { isProviderType, makeUrn, isTypeToken } from '@cairn/addresses';
import { invalid, optionalUrn } from '../refusal.js';
import type { NormalisePass } from './draft.js';

/** Refuses options that only providers may have [REG-18]. */
export const refuseUnsupported: NormalisePass = ({ request }) => {
  const { type, envVarMappings } = request;
  if (Object.keys(envVarMappings).length > 0 && !isProviderType(type)) {
    throw invalid(
      `envVarMappings can only be used with provider resources; ${type} ${JSON.stringify(request.name)} is not one`,
    );
  }
  return undefined;
};

/** Sets URN and parent. Types of resources that a provider makes must be tokens; components may have any [REG-4]. */
export const identity: NormalisePass = ({ request }, { identity: { stack, project }, resources }) => {
  const { type, name, custom, remote } = request;
  if ((custom || remote) && !isTypeToken(type)) {
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

/** Sets the position in the program where the resource was made, relative to the project [REG-18]. */
export const source: NormalisePass = ({ request }, { sources }) => ({
  goal: {
    sourcePosition: sources.position(request.sourcePosition),
    stackTrace: sources.frames(request.stackTrace, request.parentStackTraceHandle),
  },
});
