/**
 * Feature ids that programs are told of [PRG-7]. Exactly what this monitor does: no state migrations.
 */
const FEATURES: readonly string[] = [
  'secrets',
  'resourceReferences',
  'outputValues',
  'aliasSpecs',
  'replacementTrigger',
  'deletedWith',
  'replaceWith',
  'parameterization',
  'transforms',
  'invokeTransforms',
  'resourceHooks',
  'errorHooks',
  'sendsOptionsToHooks',
  'byteString',
  'invokeDependsOn',
  'invokeParent',
];

/** The features of one operation. */
export function featuresOf(request: { readonly withoutReferences?: boolean | undefined }): readonly string[] {
  return request.withoutReferences === true
    ? FEATURES.filter((feature) => feature !== 'resourceReferences')
    : FEATURES;
}
