import { ResourceMonitorFeature as F } from '../generated/pulumi/resource.js';

/** Feature ids of SupportsFeature by their number in GetDeploymentInfo [PRG-7]. */
const FEATURE_IDS = {
  [F.RESOURCE_MONITOR_FEATURE_SECRETS]: 'secrets',
  [F.RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES]: 'resourceReferences',
  [F.RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES]: 'outputValues',
  [F.RESOURCE_MONITOR_FEATURE_ALIAS_SPECS]: 'aliasSpecs',
  [F.RESOURCE_MONITOR_FEATURE_REPLACEMENT_TRIGGER]: 'replacementTrigger',
  [F.RESOURCE_MONITOR_FEATURE_DELETED_WITH]: 'deletedWith',
  [F.RESOURCE_MONITOR_FEATURE_REPLACE_WITH]: 'replaceWith',
  [F.RESOURCE_MONITOR_FEATURE_TRANSFORMS]: 'transforms',
  [F.RESOURCE_MONITOR_FEATURE_INVOKE_TRANSFORMS]: 'invokeTransforms',
  [F.RESOURCE_MONITOR_FEATURE_PARAMETERIZATION]: 'parameterization',
  [F.RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS]: 'resourceHooks',
  [F.RESOURCE_MONITOR_FEATURE_ERROR_HOOKS]: 'errorHooks',
  [F.RESOURCE_MONITOR_FEATURE_SENDS_OPTIONS_TO_HOOKS]: 'sendsOptionsToHooks',
  [F.RESOURCE_MONITOR_FEATURE_BYTE_STRING]: 'byteString',
  [F.RESOURCE_MONITOR_FEATURE_INVOKE_DEPENDS_ON]: 'invokeDependsOn',
  [F.RESOURCE_MONITOR_FEATURE_INVOKE_PARENT]: 'invokeParent',
  [F.RESOURCE_MONITOR_FEATURE_STATE_MIGRATIONS]: 'stateMigrations',
  [F.RESOURCE_MONITOR_FEATURE_INVOKE_OUTPUT_VALUES]: 'invokeOutputValues',
  [F.RESOURCE_MONITOR_FEATURE_CALL_OUTPUT_VALUES]: 'callOutputValues',
  [F.RESOURCE_MONITOR_FEATURE_REGISTER_RESOURCE_OUTPUT_VALUES]: 'registerResourceOutputValues',
} as const satisfies Record<F, string>;

const BY_ID = new Map<string, F>(
  Object.entries(FEATURE_IDS).map(([number, id]) => [id, Number(number) as F]),
);

/** Returns the numbers of the features with the given ids. Ids without a number are left out. */
export function featureNumbers(ids: readonly string[]): F[] {
  return ids.flatMap((id) => BY_ID.get(id) ?? []);
}

/** Returns the ids of features. Unknown numbers are left out. */
export function featureIds(numbers: readonly number[]): string[] {
  return numbers.flatMap((number) => FEATURE_IDS[number as F] ?? []);
}
