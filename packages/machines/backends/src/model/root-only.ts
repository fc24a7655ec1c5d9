import { ROOT_STACK_TYPE } from '@cairn/addresses';
import type { SerializedDeployment } from '@cairn/state';

/** Returns a state without any resource but the root stack. */
export function rootOnly(deployment: SerializedDeployment): SerializedDeployment {
  const root = deployment.resources.find(
    ({ type, delete: left }) => type === ROOT_STACK_TYPE && left !== true,
  );
  return { ...deployment, resources: root === undefined ? [] : [root], pendingOperations: [] };
}
