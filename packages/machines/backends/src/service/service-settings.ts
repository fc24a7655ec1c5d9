import { ChangeSettingsRequest } from '@cairn/http-api';
import type { ServedSettings } from '../service-part.js';
import type { StackId } from '../stack-id.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';

/** Returns the settings by which agents of the service run a stack. */
export function serviceSettings(context: ServiceContext, id: StackId): ServedSettings {
  const { http } = context;
  const names = pathNames(context, id);
  return {
    get: () => http.find('deploymentSettings', ChangeSettingsRequest, { names }),
    change: (patch) => http.json('changeDeploymentSettings', ChangeSettingsRequest, { names, body: patch }),
    remove: async () => void (await http.text('removeDeploymentSettings', { names })),
  };
}
