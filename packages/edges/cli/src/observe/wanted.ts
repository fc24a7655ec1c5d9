import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cairnError } from '@cairn/diagnostics';
import type { GlobalFlags } from '../flags/global.js';
import type { StackFlags } from '../flags/operation.js';
import type { CommandContext } from '../command-context.js';

/** Observations that the user requested. */
export interface Wanted {
  /** File to which calls between processes are written. */
  readonly calls: string | undefined;
  readonly log: WantedLog | undefined;
  readonly traces: TraceTarget | undefined;
  /** Prefix of the names of files with profiles. */
  readonly profiles: { readonly prefix: string; readonly heapBytes: number | undefined } | undefined;
  /** Processes that wait for a debugger: `program`, `plugins`, `plugin:NAME`, `all`. */
  readonly debugged: readonly string[];
}

/** Options of the log of a run. */
export interface WantedLog {
  /** A higher level writes more. */
  readonly level: number;
  readonly toStderr: boolean;
  /** True if plugins receive the same options. */
  readonly flows: boolean;
}

/** Destination of spans. */
export type TraceTarget =
  | { readonly t: 'file'; readonly path: string }
  /** Receiver of OpenTelemetry's protocol over HTTP, in JSON. */
  | { readonly t: 'otlp'; readonly url: string }
  | { readonly t: 'zipkin'; readonly url: string };

/**
 * Returns the observations that flags and variables request, or undefined for none. Throws CAIRN-USAGE for invalid
 * requests.
 */
export function wantedOf(
  context: Pick<CommandContext, 'env' | 'cwd'>,
  flags: StackFlags,
): Wanted | undefined {
  const file = context.env['CAIRN_DEBUG_GRPC'] ?? context.env['PULUMI_DEBUG_GRPC'] ?? '';
  const level = levelOf(flags);
  const [toStderr, flows] = [flags.logtostderr, flags.logflow];
  const debugged = debuggedBy(flags.attachDebugger);
  const prefix = flags.profiling;
  const wanted: Wanted = {
    calls: file === '' ? undefined : path.resolve(context.cwd, file),
    log: level > 0 || (toStderr && flows) ? { level, toStderr, flows } : undefined,
    traces: traceTarget(context.cwd, flags),
    profiles:
      prefix === undefined
        ? undefined
        : { prefix: path.resolve(context.cwd, prefix), heapBytes: flags.memprofilerate },
    debugged,
  };
  const { calls, log, traces, profiles } = wanted;
  return (calls ?? log ?? traces ?? profiles ?? debugged[0]) ? wanted : undefined;
}

/** Returns the level of messages. A command's own switch of this name has another meaning. */
export function levelOf({ verbose }: GlobalFlags): number {
  return typeof verbose === 'number' ? verbose : 0;
}

const DEBUGGED = /^(?:program|plugins|all|plugin:.+)$/;

function debuggedBy(text: string | undefined): readonly string[] {
  const words = (text ?? '').split(',').filter((word) => word !== '');
  const wrong = words.find((word) => !DEBUGGED.test(word));
  if (wrong === undefined) return words;
  throw cairnError('CAIRN-USAGE', `--attach-debugger does not take ${JSON.stringify(wrong)}`, {
    hint: 'Pass program, plugins, plugin:NAME or all, separated by commas.',
  });
}

function traceTarget(cwd: string, flags: GlobalFlags): TraceTarget | undefined {
  const [legacy, otel] = [flags.tracing, flags.otelTraces];
  if (legacy !== undefined && otel !== undefined)
    throw cairnError('CAIRN-USAGE', '--otel-traces and --tracing cannot be used together');
  if (otel !== undefined) return targetOf(cwd, 'otel-traces', otel, 'otlp');
  return legacy === undefined ? undefined : targetOf(cwd, 'tracing', legacy, 'zipkin');
}

function targetOf(cwd: string, flag: string, text: string, http: 'otlp' | 'zipkin'): TraceTarget {
  if (text.startsWith('file:')) {
    const file = text.startsWith('file://') ? fileOf(text) : path.resolve(cwd, text.slice('file:'.length));
    if (file !== undefined && file !== cwd) return { t: 'file', path: file };
  } else if (/^https?:\/\/[^/]/.test(text) && URL.canParse(text)) return { t: http, url: text };
  throw cairnError('CAIRN-USAGE', `--${flag} cannot send spans to ${JSON.stringify(text)}`, {
    causes: text.startsWith('grpc') ? ['spans are sent over HTTP, which collectors accept on port 4318'] : [],
    hint: `For example \`--${flag} file:trace.json\` or \`--${flag} ${EXAMPLES[http]}\`.`,
  });
}

const EXAMPLES = { otlp: 'http://localhost:4318', zipkin: 'http://localhost:9411/api/v2/spans' } as const;

function fileOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
