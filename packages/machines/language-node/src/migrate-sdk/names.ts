/** Returns the entry of a table for a name. Returns undefined for names that it does not have, such as `toString`. */
export function said(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * Names that differ between `@pulumi/pulumi` and `@cairn/sdk`, path there to name here: the table of the SDK's README.
 */
export const RENAMED: Readonly<Record<string, string>> = {
  'Output.create': 'output',
  'Output.isInstance': 'isOutput',
  'runtime.isDryRun': 'isDryRun',
  'runtime.invoke': 'invoke',
  'runtime.call': 'call',
  'runtime.getStack': 'getStack',
  'runtime.getProject': 'getProject',
  'runtime.getOrganization': 'getOrganization',
  'runtime.registerResourceTransform': 'registerResourceTransform',
  'runtime.registerInvokeTransform': 'registerInvokeTransform',
  'asset.Asset': 'Asset',
  'asset.Archive': 'Archive',
  'asset.FileAsset': 'FileAsset',
  'asset.StringAsset': 'StringAsset',
  'asset.RemoteAsset': 'RemoteAsset',
  'asset.AssetArchive': 'AssetArchive',
  'asset.FileArchive': 'FileArchive',
  'asset.RemoteArchive': 'RemoteArchive',
  OutputInstance: 'Output',
  InvokeOutputOptions: 'InvokeOptions',
};

/** Types that are written out here. */
export const WRITTEN_OUT: Readonly<Record<string, string>> = {
  ID: 'string',
  URN: 'string',
  Inputs: 'Record<string, any>',
};

/** Exports without a counterpart of the same shape here, and what to do instead. */
export const NOT_HERE: Readonly<Record<string, string>> = {
  dynamic:
    'dynamic providers are written with dynamicProvider and dynamicResource, whose handlers have other arguments and results: the file is unchanged',
  automation: 'the automation API is @cairn/automation, which has other functions',
  provider: 'providers are written with @cairn/provider-sdk',
  runtime: 'programs cannot import the runtime',
  'runtime.setMocks': 'programs are tested with testProgram of @cairn/sdk/testing',
  'runtime.runInPulumiStack': 'programs are tested with testProgram of @cairn/sdk/testing',
  asset: 'assets are named without a namespace',
  utils: '@cairn/sdk does not have the helpers of @pulumi/pulumi',
  InputPropertyErrorDetails: 'a problem of an input is { propertyPath, reason }',
  isGrpcError: 'errors of calls are RunError and ResourceError',
  allAliases: 'the engine derives the aliases of children',
  DependencyProviderResource: 'a provider for a reference is not needed',
  ResourceTransformation: 'transforms see resources on their way to the engine: registerResourceTransform',
  ResourceTransformationArgs: 'the arguments of transforms are ResourceTransformArgs',
  ResourceTransformationResult: 'the result of transforms is ResourceTransformResult',
  'runtime.registerStackTransformation':
    'transforms see resources on their way to the engine: registerResourceTransform',
  StackReferenceOutputDetails: 'outputs of other stacks are getOutput, requireOutput and getOutputValue',
  UnwrapSimple: 'Unwrap is the only type of its kind',
  UnwrappedArray: 'Unwrap is the only type of its kind',
  UnwrappedObject: 'Unwrap is the only type of its kind',
  invokeOptionsFromResourceOptions: 'invokes accept parent, provider and version of a resource',
  invokeOutputOptionsFromResourceOptions:
    'invokes accept parent, provider, version and dependsOn of a resource',
  StateMigration: 'components keep their resources with aliases',
  StateMigrationArgs: 'components keep their resources with aliases',
  StateMigrationResult: 'components keep their resources with aliases',
  OutputConstructor: 'outputs are made by output',
  Lifted: 'Output has the lifted properties',
  LiftedObject: 'Output has the lifted properties',
  LiftedArray: 'Output has the lifted properties',
};

/** Methods and options of the same kind, by the name after a dot or before a colon. */
export const MEMBERS_NOT_HERE: Readonly<Record<string, string>> = {
  getOutputDetails: 'outputs of other stacks are getOutput, requireOutput and getOutputValue',
  requireOutputValue: 'use getOutputValue, and handle a missing value',
  stateMigrations: 'components keep their resources with aliases',
  transformations: 'transforms see resources on their way to the engine: the option is transforms',
};
