import { messageOf } from '@cairn/diagnostics';
import { openLineFile } from './line-file.js';
import { otlpJson, zipkinJson } from './span-formats.js';
import type { Span } from './spans.js';
import type { TraceTarget } from './wanted.js';

/** Destination of spans. */
interface SpanSink {
  /** Accepts a span of this process. */
  take(span: Span): void;
  /** Forwards another process's document in OpenTelemetry's JSON. */
  forward(document: object): void;
  /** Sends the rest. Resolves with the reason why a part was not sent, or undefined if everything was. */
  close(): Promise<string | undefined>;
}

/** Number of spans in a batch. */
const BATCH = 200;
/** Time limit of the receiver for each batch, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Opens the destination for spans of a service. Fails (CAIRN-USAGE) if the file cannot be written. */
export function openSpanSink(service: string, target: TraceTarget): SpanSink {
  return target.t === 'file' ? fileSink(service, target.path) : webSink(service, target);
}

function fileSink(service: string, path: string): SpanSink {
  const lines = openLineFile(path, 'w', { summary: `cannot write spans to ${path}` });
  const write = (document: object): void => lines.write(JSON.stringify(document));
  const batch = batches((spans) => write(otlpJson(service, spans)));
  return {
    take: batch.take,
    forward: write,
    close: async () => {
      batch.flush();
      return lines.close();
    },
  };
}

function webSink(service: string, { t, url }: Exclude<TraceTarget, { t: 'file' }>): SpanSink {
  const sending: Promise<void>[] = [];
  let failure: string | undefined;
  const send = (document: object): void => {
    const sent = post(t === 'otlp' ? tracesPath(url) : url, document).catch((error: unknown) => {
      failure ??= messageOf(error);
    });
    sending.push(sent);
  };
  const form = t === 'otlp' ? otlpJson : zipkinJson;
  const batch = batches((spans) => send(form(service, spans)));
  return {
    take: batch.take,
    forward: (document) => {
      // Zipkin has its own form, in which plugins send their spans themselves.
      if (t === 'otlp') send(document);
    },
    close: async () => {
      batch.flush();
      await Promise.all(sending);
      return failure;
    },
  };
}

async function post(url: string, document: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`it answered ${answer.status}`);
}

/** Completes an address: one without a path is that of a collector. */
function tracesPath(url: string): string {
  const parsed = new URL(url);
  if (parsed.pathname === '/') parsed.pathname = '/v1/traces';
  return parsed.href;
}

function batches(send: (spans: readonly Span[]) => void): {
  readonly take: (span: Span) => void;
  readonly flush: () => void;
} {
  let waiting: Span[] = [];
  const flush = (): void => {
    if (waiting.length > 0) send(waiting);
    waiting = [];
  };
  return {
    take: (span) => {
      waiting.push(span);
      if (waiting.length >= BATCH) flush();
    },
    flush,
  };
}
