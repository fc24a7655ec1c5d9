import type { Span, SpanKind } from './spans.js';

/** Numbers of span kinds and of a failure in OpenTelemetry's protocol. */
const OTLP_KINDS: Readonly<Record<SpanKind, number>> = { inside: 1, server: 2, client: 3 };
const OTLP_ERROR = 2;

/** Returns spans of one service as one document in OpenTelemetry's JSON. */
export function otlpJson(service: string, spans: readonly Span[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: otlpAttributes({ 'service.name': service }) },
        scopeSpans: [{ scope: { name: service }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

function otlpSpan({ traceId, id, parent, name, kind, from, to, attributes, error }: Span): object {
  return {
    traceId,
    spanId: id,
    ...(parent !== undefined && { parentSpanId: parent }),
    name,
    kind: OTLP_KINDS[kind],
    startTimeUnixNano: String(from),
    endTimeUnixNano: String(to),
    attributes: otlpAttributes(attributes),
    status: error === undefined ? {} : { code: OTLP_ERROR, message: error },
  };
}

function otlpAttributes(attributes: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }));
}

/** Returns spans of one service in Zipkin's format, version 2. */
export function zipkinJson(service: string, spans: readonly Span[]): readonly object[] {
  return spans.map(({ traceId, id, parent, name, kind, from, to, attributes, error }) => ({
    traceId,
    id,
    ...(parent !== undefined && { parentId: parent }),
    name,
    ...(kind !== 'inside' && { kind: kind.toUpperCase() }),
    timestamp: Number(from / 1_000n),
    duration: Math.max(1, Number((to - from) / 1_000n)),
    localEndpoint: { serviceName: service },
    tags: { ...attributes, ...(error !== undefined && { error }) },
  }));
}
