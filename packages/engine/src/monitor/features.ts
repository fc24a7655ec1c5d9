/**
 * Feature ids that programs are told of (pulumirpc-semantics.md D2). Exactly what this monitor does: no transforms, no hooks,
 * no state migrations.
 */
export const FEATURES: readonly string[] = [
  'secrets',
  'resourceReferences',
  'outputValues',
  'aliasSpecs',
  'replacementTrigger',
  'deletedWith',
  'replaceWith',
  'parameterization',
  'byteString',
  'invokeDependsOn',
  'invokeParent',
];
