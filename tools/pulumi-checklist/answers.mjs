// What Cairn does about each export and call of `@pulumi/pulumi`. The checklist asks for an answer to each; types have
// none of their own, they are what the values are written with.

const EXPORTS_TEST = 'e2e/command/pulumi-exports.test.ts';
const AUTOMATION_TEST = 'e2e/process/automation-api.test.ts';
const OWN = 'is work of the package within the program: the engine is not asked';

/** [module, test that uses each name, names]. */
const TRIED = [
  [
    'index',
    EXPORTS_TEST,
    'Config DependencyProviderResource DependencyResource InputPropertiesError InputPropertyError Output ResourceError RunError all allAliases asset concat containsUnknowns createUrn deferredOutput getAllResources getOrganization getProject getRootDirectory getStack interpolate invokeOptionsFromResourceOptions invokeOutputOptionsFromResourceOptions isGrpcError isSecret isUnknown iterable jsonParse jsonStringify log mergeOptions output recover requirePulumiVersion resourceName resourceType rootStackResource runtime secret unknown unsecret utils ComponentResource CustomResource',
  ],
  ['index', 'e2e/command/pulumi-hooks.test.ts', 'ErrorHook ResourceHook'],
  ['index', 'e2e/command/pulumi-options.test.ts', 'ProviderResource Resource Stash'],
  ['index', 'e2e/command/pulumi-sdk.test.ts', 'StackReference dynamic'],
  ['index', 'e2e/command/served-components.test.ts', 'provider'],
  ['index', 'packages/machines/language-node/src/tuned-sdk.test.ts', 'automation'],
  ['asset', EXPORTS_TEST, 'Archive Asset RemoteArchive RemoteAsset'],
  ['asset', 'e2e/command/assets.test.ts', 'AssetArchive FileArchive FileAsset StringAsset'],
  [
    'automation',
    AUTOMATION_TEST,
    'CommandError ConcurrentUpdateError LocalWorkspace StackAlreadyExistsError StackNotFoundError',
  ],
  ['automation', 'packages/machines/language-node/src/tuned-sdk.test.ts', 'Stack'],
  ['dynamic', 'e2e/command/dynamic-providers.test.ts', 'Resource'],
  ['iterable', EXPORTS_TEST, 'groupBy toObject'],
  ['log', EXPORTS_TEST, 'debug hasErrors warn'],
  ['log', 'e2e/command/pulumi-sdk.test.ts', 'info'],
  ['log', 'tools/peers/cases/values.mjs', 'error'],
  ['provider', 'e2e/command/served-components.test.ts', 'main'],
  [
    'runtime',
    EXPORTS_TEST,
    'allConfig computeCodePaths existsResource getCallbacks getConfig getEngine getMonitor getResource getStackResource hasEngine hasMonitor invokeSingle isDryRun registerStackTransformation rootPulumiStackTypeName serializeFunction serializeFunctionAsync supportsParameterization getOrganization getProject getRootDirectory getStack requirePulumiVersion',
  ],
  [
    'runtime',
    'e2e/command/pulumi-transforms.test.ts',
    'registerInvokeTransform registerResourceTransform invoke',
  ],
  ['runtime', 'e2e/command/pulumi-components.test.ts', 'call invokeOutput'],
];

/** [module, why there is nothing to try, names]. */
const NOT_TRIED = [
  [
    'automation',
    'downloads and finds the command of Pulumi; docs/automation-api.md says where the alias is',
    'PulumiCommand',
  ],
  ['automation', OWN, 'DiffKind fullyQualifiedStackName'],
  [
    'automation',
    'is refused: programs would run on machines of a service (docs/automation-api.md)',
    'RemoteStack RemoteWorkspace',
  ],
  [
    'runtime',
    'is what resources, functions and hooks of the package are made with, which are tried',
    'Stack callSingle invokeSingleOutput readResource registerErrorHook registerPackage registerResource registerResourceHook registerResourceOutputs registerStackTransform runInPulumiStack setRootResource',
  ],
  [
    'runtime',
    'is for packages of classes, which plugin-modules and terraform-packages use',
    'getResourceModule getResourcePackage registerResourceModule registerResourcePackage',
  ],
  ['runtime', 'is for unit tests of a program, without an engine', 'setMockOptions setMocks'],
  [
    'runtime',
    OWN,
    'awaitStackRegistrations cacheDynamicProviders deserializeProperties deserializeProperty disconnect disconnectSync excessiveDebugOutput getMaximumListeners isLegacyApplyEnabled isRpcSecret mapAliasesForRequest resetOptions resolveProperties rpcKeepAlive serialize serializeProperties serializeProperty serializeResourceProperties setAllConfig setConfig specialArchiveSig specialAssetSig specialOutputValueSig specialResourceSig specialSecretSig specialSigKey suppressUnhandledGrpcRejections terminateRpcs transferProperties unknownValue unwrapRpcSecret',
  ],
];

const MONITOR = 'packages/boundary/wire/src/monitor/monitor.test.ts';
const PROVIDER = 'packages/boundary/wire/src/provider/provider.test.ts';
const LANGUAGE = 'packages/boundary/wire/src/language/language.test.ts';
const ANALYZER = 'packages/boundary/wire/src/analyzer/analyzer.test.ts';

/** [service, test in which each call arrives, calls]. */
const CALLS = [
  [
    'pulumirpc.ResourceMonitor',
    MONITOR,
    'Call ExistsResource GetDeploymentInfo Invoke ReadResource RegisterErrorHook RegisterPackage RegisterResource RegisterResourceHook RegisterResourceOutputs RegisterStackInvokeTransform RegisterStackTransform SignalAndWaitForShutdown SupportsFeature',
  ],
  [
    'pulumirpc.ResourceProvider',
    PROVIDER,
    'Attach Call Cancel Check CheckConfig Configure Construct Create Delete Diff DiffConfig GetMapping GetMappings GetPluginInfo GetSchema Handshake Invoke List Parameterize Read Update',
  ],
  [
    'pulumirpc.LanguageRuntime',
    LANGUAGE,
    'About Cancel GeneratePackage GenerateProject GetPluginInfo GetProgramDependencies GetRequiredPackages InstallDependencies Link Pack Run RunPlugin RuntimeOptionsPrompts Template',
  ],
  [
    'pulumirpc.Analyzer',
    ANALYZER,
    'Analyze AnalyzeStack Cancel Configure ConfigureStack GetAnalyzerInfo GetPluginInfo Handshake Remediate',
  ],
  ['pulumirpc.Callbacks', 'packages/boundary/wire/src/callbacks/callbacks.test.ts', 'Invoke'],
  ['pulumirpc.Converter', 'e2e/command/convert.test.ts', 'ConvertProgram'],
  ['pulumirpc.Converter', 'e2e/command/import-converted.test.ts', 'ConvertState'],
  [
    'pulumirpc.Engine',
    'packages/machines/engine/src/monitor/engine-service.test.ts',
    'GetRootResource Log RequirePulumiVersion SetRootResource StartDebugging',
  ],
  ['pulumirpc.Events', 'e2e/command/event-log.test.ts', 'StreamEvents'],
  [
    'pulumirpc.ResourceStatus',
    'packages/boundary/wire/src/resource-status/resource-status.test.ts',
    'PublishViewSteps',
  ],
  ['codegen.Loader', 'packages/machines/engine/src/monitor/serve-engine.test.ts', 'GetSchema'],
  ['codegen.Mapper', 'packages/machines/engine/src/monitor/serve-engine.test.ts', 'GetMapping'],
  [
    'pulumirpc.PackageResolver',
    'packages/machines/engine/src/monitor/serve-engine.test.ts',
    'ResolvePackage',
  ],
];

/** [service, why it is not called or served, calls]. */
const CALLS_LEFT_OUT = [
  [
    'pulumirpc.LanguageRuntime',
    'goes to programs at `--client`, as e2e/process/automation-api.test.ts has them',
    'Handshake',
  ],
  [
    'pulumirpc.LanguageRuntime',
    'is not called: imports and conversions write whole projects',
    'GenerateProgram',
  ],
  ['pulumirpc.LanguageRuntime', 'is the older form of GetRequiredPackages', 'GetRequiredPlugins'],
  ['pulumirpc.Converter', 'snippets are in one language here', 'ConvertSnippet'],
  [
    'pulumirpc.testing.LanguageTest',
    'is the conformance suite of language plugins; its cases are run without it (e2e/conformance)',
    'GetLanguageTests PrepareLanguageTests RunLanguageTest',
  ],
];

/** Messages that `proto/` does not have, and why. */
export const MESSAGES_LEFT_OUT = [
  ['pulumirpc.testing.', 'the conformance suite of language plugins'],
  ['pulumirpc.ErrorResourceAwaitFailed', 'a detail without fields: the error is one like any other'],
];

/** Fields that are in `proto/` and that no code of ours reads or writes, and why. */
export const FIELDS_NOT_USED = {
  'pulumirpc.PolicyInfo.framework': 'a standard that a policy is part of is shown nowhere',
  'pulumirpc.PolicyInfo.remediationSteps': 'the message of a violation is what is shown',
  'pulumirpc.PolicyComplianceFramework.specification': 'as framework',
  'pulumirpc.ConvertSnippetRequest.targetLoader': 'snippets are not converted',
  'pulumirpc.RegisterResourceRequest.usesOutputValues': 'output values are read wherever they are sent',
  'pulumirpc.RunRequest.queryMode': 'queries are no operation any more',
  'pulumirpc.RunRequest.configPropertyMap': 'deprecated: config and configSecretKeys say the same',
};

const rows = (tried, left) => [
  ...tried.flatMap(([group, test, names]) => names.split(' ').map((name) => ({ group, name, test }))),
  ...left.flatMap(([group, why, names]) => names.split(' ').map((name) => ({ group, name, why }))),
];

/** An answer has a test, or says why there is none. */
export const EXPORT_ANSWERS = rows(TRIED, NOT_TRIED);
export const CALL_ANSWERS = rows(CALLS, CALLS_LEFT_OUT);
