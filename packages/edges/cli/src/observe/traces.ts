import type { EngineEvent, StepView } from '@cairn/engine';
import { messageOf } from '@cairn/diagnostics';
import type { Mask } from '@cairn/operations/stacks';
import type { CallWatch } from '@cairn/wire/caller';
import { messageJson, messagesOf, spansJson } from '@cairn/wire/watch';
import { cairnVersion } from '../flows/version.js';
import { isAlias } from '../terminal/called-as.js';
import type { CommandContext } from '../command-context.js';
import type { Look } from './look.js';
import { openSpanSink } from './span-sink.js';
import { continued, startTrace } from './spans.js';
import type { OpenSpan } from './spans.js';
import type { TraceTarget } from './wanted.js';
import { sameUserGuard, startServer } from '@cairn/wire/server';

/**
 * Records spans of a command: the command contains each pass of an operation, which contains steps and calls between
 * processes. Plugins and programs receive the data that makes their spans parts of these, and an address for them.
 * Fails (CAIRN-USAGE) if the file cannot be written.
 */
export async function startTraces(
  context: CommandContext,
  command: string,
  target: TraceTarget,
): Promise<Look> {
  const name = isAlias(context) ? 'pulumi' : 'cairn';
  const sink = openSpanSink(`${name}-cli`, target);
  const root = startTrace(
    name,
    {
      'cli.command': `${name} ${command}`,
      [`${name}.version`]: cairnVersion(),
      [`${name}.os`]: process.platform,
      [`${name}.arch`]: process.arch,
      'exec.kind': 'cli',
    },
    sink.take,
    context.env['TRACEPARENT'],
  );
  const passes = new Passes(root, `${name}-plan`);
  const receiver = await receiveSpans((document) => sink.forward(document));
  return {
    watch: (mask) => watchOf(mask, root, passes, sink.take),
    event: (event) => passes.event(event),
    get variables() {
      return {
        TRACEPARENT: passes.current.traceparent,
        PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: receiver.address,
      };
    },
    ...(target.t === 'zipkin' && { arguments: ['--tracing', target.url] }),
    close: async (code) => {
      passes.end();
      root.end(code === 0 ? undefined : `exit code ${code}`);
      await receiver.close();
      const failure = await sink.close();
      return failure === undefined ? undefined : `spans were not delivered: ${failure}`;
    },
  };
}

/** Spans for passes of operations and their steps. */
class Passes {
  #pass: OpenSpan | undefined;
  readonly #steps = new Map<string, OpenSpan>();
  readonly #root: OpenSpan;
  readonly #name: string;

  constructor(root: OpenSpan, name: string) {
    this.#root = root;
    this.#name = name;
  }

  /** Parent span of a call that is about no step. */
  get current(): OpenSpan {
    return this.#pass ?? this.#root;
  }

  /** Returns the parent span of a call about this resource. */
  about(urn: string | undefined): OpenSpan {
    return (urn === undefined ? undefined : this.#steps.get(urn)) ?? this.current;
  }

  event(event: EngineEvent): void {
    if (event.t === 'prelude') this.#begin();
    else if (event.t === 'summary') this.end(event.summary.result);
    else if (event.t === 'step-started') this.#step(event.step);
    else if (event.t === 'step-ended') this.#endStep(event.step);
    else if (event.t === 'step-failed') this.#endStep(event.step, 'failed');
  }

  #begin(): void {
    this.end();
    this.#pass = this.#root.child(this.#name, 'inside');
  }

  end(result = 'succeeded'): void {
    for (const span of this.#steps.values()) span.end();
    this.#steps.clear();
    this.#pass?.end(result === 'succeeded' ? undefined : result);
    this.#pass = undefined;
  }

  #step({ kind, urn, type }: StepView): void {
    this.#steps.get(urn)?.end();
    this.#steps.set(urn, this.current.child(`step ${kind}`, 'inside', { urn, type }));
  }

  #endStep({ urn }: StepView, error?: string): void {
    this.#steps.get(urn)?.end(error);
    this.#steps.delete(urn);
  }
}

function watchOf(
  mask: Mask,
  root: OpenSpan,
  passes: Passes,
  taken: Parameters<typeof continued>[2],
): CallWatch {
  return {
    begin({ peer, path, body, header }) {
      const name = path.slice(1);
      const [service = '', method = ''] = name.split('/');
      const attributes = {
        ...{ 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method },
        ...(peer.name !== undefined && { plugin: peer.name }),
        ...(peer.runtime !== undefined && { runtime: peer.runtime }),
      };
      const ofPeer =
        peer.mode === 'server'
          ? continued(root, header('traceparent'), taken, name, peer.mode, attributes)
          : undefined;
      const span = ofPeer ?? passes.about(urnOf(path, body)).child(name, peer.mode, attributes);
      return {
        ...(peer.mode === 'client' && { metadata: { traceparent: span.traceparent } }),
        answered: () => {},
        ended: (error) => span.end(error === undefined ? undefined : mask(messageOf(error))),
      };
    },
  };
}

/** Returns the resource that a request names, if any. */
function urnOf(path: string, body: Uint8Array): string | undefined {
  try {
    const read = messageJson(messagesOf(path)?.[0] ?? '', body);
    const { urn, create } = read as { readonly urn?: unknown; readonly create?: { readonly urn?: unknown } };
    const found = urn ?? create?.urn;
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Receives the spans of plugins and programs. */
interface SpanReceiver {
  /** `127.0.0.1:<port>`. */
  readonly address: string;
  close(): Promise<void>;
}

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

/** Receives spans of other processes in OpenTelemetry's protocol over gRPC, and passes them on in its JSON. */
async function receiveSpans(onDocument: (document: object) => void): Promise<SpanReceiver> {
  const server = await startServer({
    services: [
      {
        name: 'opentelemetry.proto.collector.trace.v1.TraceService',
        unary: new Map([
          [
            EXPORT,
            async (body: Uint8Array) => {
              onDocument(spansJson(body));
              return new Uint8Array();
            },
          ],
        ]),
        streams: new Map(),
      },
    ],
    guard: sameUserGuard({ takesUnknown: () => true }),
  });
  return { address: server.address, close: () => server.close(500) };
}
