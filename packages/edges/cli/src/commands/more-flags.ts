import type { FlagSpec } from '../command-spec.js';

const SERVICE = 'it needs the service that Pulumi hosts';

/** Further flags for the display of an operation. */
export const lookFlags: readonly FlagSpec[] = [
  { name: 'show-config', summary: 'Show the configuration that the operation has' },
  { name: 'show-reads', summary: 'List resources that are read too' },
  { name: 'show-full-output', summary: 'Show long values in full' },
  { name: 'urns', summary: 'Show URNs in place of names' },
  { name: 'suppress-progress', summary: 'Leave out the line every ten seconds about what still runs' },
  {
    name: 'suppress-permalink',
    summary: 'No effect: results have no page on the web, so that no link is printed',
  },
];

/** Display flag of operations whose policies are checked. */
export const policyLookFlag: FlagSpec = {
  name: 'show-policy-remediations',
  summary: 'No effect: each remediation is shown anyway',
};

/** Further flags for the inputs of a program and for the lookup of plugins. */
export const programFlags: readonly FlagSpec[] = [
  { name: 'config-path', summary: 'Keys of --config are paths into structured values' },
  {
    name: 'skip-config-validation',
    summary: 'Run with a configuration that the project file does not allow',
  },
  {
    name: 'skip-plugin-pre-install',
    summary: 'No effect: plugins are looked for when something needs them, not before',
  },
];

/** Flags of operations that concern the service of the other tool. */
export const serviceFlags: readonly FlagSpec[] = [
  { name: 'neo', summary: '', refused: SERVICE },
  { name: 'copilot', summary: '', refused: SERVICE },
  { name: 'neo-task-on-failure', summary: '', refused: SERVICE },
  { name: 'remote', summary: '', refused: SERVICE },
  {
    name: 'override-env',
    value: 'env=other',
    repeat: true,
    summary: '',
    refused: 'stacks have no environments of a service that one could stand for',
  },
];

/** Flags of `new` that concern the service of the other tool, or have no effect there any more. */
export const serviceFlagsOfNew: readonly FlagSpec[] = [
  ...['ai', 'language'].map((name) => ({ name, value: 'text', summary: '', refused: SERVICE })),
  {
    name: 'remote-stack-config',
    summary: '',
    refused: 'the configuration of a stack is a file of its project',
  },
  { name: 'template-mode', short: 't', hidden: true, summary: 'Taken as it is: there is no other mode' },
];

/** Flags of `login` that concern accounts of a service. */
export const accountFlags: readonly FlagSpec[] = [
  { name: 'default-org', value: 'organization', summary: '', refused: 'backends have no organizations' },
  { name: 'insecure', summary: '', refused: 'certificates of a store are always checked' },
  ...['oidc-token', 'oidc-org', 'oidc-team', 'oidc-user', 'oidc-expiration'].map((name) => ({
    name,
    value: 'text',
    summary: '',
    refused: `${SERVICE}; a store takes the credentials of its own environment`,
  })),
];

/** Address of a backend, in the form of the other tool's flag. */
export const cloudUrlFlag: FlagSpec = {
  name: 'cloud-url',
  short: 'c',
  value: 'url',
  summary: 'The backend, in place of the argument',
};

/** `--output json`, another spelling of `--json`. */
export const outputFormFlag: FlagSpec = {
  name: 'output',
  value: 'form',
  stands: 'json',
  summary: 'default, or json: the same as --json',
};

/** Flags of every command for logs and measurements. */
export const logFlags: readonly FlagSpec[] = [
  {
    name: 'verbose',
    short: 'v',
    value: 'n',
    kind: 'count',
    from: 0,
    summary: 'Show debug messages, and write a log to a file; the higher, the more is in it (9: each call)',
  },
  { name: 'logtostderr', summary: 'Write the log of --verbose to stderr, not to a file' },
  { name: 'logflow', summary: 'Tell plugins to log as --verbose and --logtostderr say' },
  {
    name: 'tracing',
    value: 'target',
    summary: 'Write spans to file:PATH as --otel-traces does, or send them to a Zipkin server (http://…)',
  },
  {
    name: 'otel-traces',
    value: 'target',
    summary:
      'Write spans of OpenTelemetry to file:PATH as lines of JSON, or send them to a collector (http://…)',
  },
  {
    name: 'profiling',
    value: 'prefix',
    summary:
      'Measure this command; write PREFIX.PID.cpuprofile and PREFIX.PID.heapprofile, for the tools of a browser',
  },
  {
    name: 'memprofilerate',
    value: 'bytes',
    kind: 'count',
    from: 0,
    summary: 'With --profiling: bytes of memory between two samples (default 32768; the fewer, the slower)',
  },
];

/** Attaches a debugger to the program or to plugins. */
export const debuggerFlag: FlagSpec = {
  name: 'attach-debugger',
  value: 'what',
  alone: 'program',
  summary:
    'Wait for a debugger, and say where: at the program (default), plugins, plugin:NAME or all; several with commas',
};

/** Writes a list for imports from a preview. */
export const importFileFlag: FlagSpec = {
  name: 'import-file',
  value: 'path',
  summary: 'Write what would be created to this file, as a list for `cairn import --file`',
};

/** Writes the findings of a converter. */
export const generateResourcesFlag: FlagSpec = {
  name: 'generate-resources',
  value: 'path',
  summary: 'Write the list of what a converter has found to this file (with --from CONVERTER)',
};
