import type { FlagSpec, FlagValues } from './flag-spec.js';

/** Flags for logs and measurements. */
const logFlags = [
  {
    name: 'verbose',
    short: 'v',
    value: 'n',
    holds: 'count',
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
    holds: 'count',
    from: 0,
    summary: 'With --profiling: bytes of memory between two samples (default 32768; the fewer, the slower)',
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
    summary: 'Use and store a state although it is not consistent, e.g. to mend it',
  },
  { name: 'emoji', short: 'e', summary: 'Put an emoji in front of the titles of operations' },
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
