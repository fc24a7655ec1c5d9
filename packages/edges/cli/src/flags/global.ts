import type { FlagSpec, FlagValues } from './flag-spec.js';

/** Flags for logs and measurements. */
const logFlags = [
  {
    name: 'verbose',
    short: 'v',
    value: 'n',
    holds: 'count',
    from: 0,
    summary: 'Show debug messages and write a log to a file; higher levels log more (9: each call)',
  },
  { name: 'logtostderr', summary: 'Write the log of --verbose to stderr, not to a file' },
  { name: 'logflow', summary: 'Pass --verbose and --logtostderr on to plugins' },
  {
    name: 'tracing',
    value: 'target',
    summary: 'Write spans to file:PATH as --otel-traces does, or send them to a Zipkin server (http://…)',
  },
  {
    name: 'otel-traces',
    value: 'target',
    summary:
      'Write OpenTelemetry spans to file:PATH as lines of JSON, or send them to a collector (http://…)',
  },
  {
    name: 'profiling',
    value: 'prefix',
    summary:
      'Profile this command: write PREFIX.PID.cpuprofile and PREFIX.PID.heapprofile, for browser developer tools',
  },
  {
    name: 'memprofilerate',
    value: 'bytes',
    holds: 'count',
    from: 0,
    summary: 'Bytes between two memory samples of --profiling (default: 32768; fewer is slower)',
  },
] as const satisfies readonly FlagSpec[];

/** Flags of every command. */
export const globalFlags = [
  { name: 'cwd', short: 'C', value: 'directory', summary: 'Run as if started in this directory' },
  { name: 'non-interactive', summary: 'Never prompt; fail and name the flag that would have answered' },
  {
    name: 'color',
    value: 'when',
    summary: 'Colour output: auto, always, never or raw (default auto); raw is never',
  },
  { name: 'backend-url', value: 'url', summary: 'Use this backend instead of the one logged in to' },
  {
    name: 'disable-integrity-checking',
    summary: 'Skip the integrity check, for example to repair a broken state',
  },
  { name: 'emoji', short: 'e', summary: 'Show an emoji before the titles of operations' },
  { name: 'fully-qualify-stack-names', short: 'Q', summary: 'Name stacks as organization/project/stack' },
  ...logFlags,
  {
    name: 'tracing-header',
    value: 'text',
    summary: '',
    refused: 'the header would be for the service that Pulumi hosts',
  },
  { name: 'debug', short: 'd', summary: 'Show debug messages and stack traces of internal errors' },
] as const satisfies readonly FlagSpec[];

type Values = FlagValues<typeof globalFlags>;

/** Values of the flags that every command has. `verbose` is a switch of some commands. */
export type GlobalFlags = Omit<Values, 'verbose'> & { readonly verbose: Values['verbose'] | boolean };
