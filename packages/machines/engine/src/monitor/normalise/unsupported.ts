import { invalid } from '../refusal.js';
import type { Pass } from './draft.js';
import { isProviderType } from '@cairn/addresses';

/** Refuses options that only providers may have [REG-18]. */
export const refuseUnsupported: Pass = ({ request }) => {
  const { type, envVarMappings } = request;
  if (Object.keys(envVarMappings).length > 0 && !isProviderType(type)) {
    throw invalid(
      `envVarMappings can only be used with provider resources; ${type} ${JSON.stringify(request.name)} is none`,
    );
  }
  return undefined;
};
