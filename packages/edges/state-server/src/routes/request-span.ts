import {
  SpanKind,
  SpanStatusCode,
  context,
  isSpanContextValid,
  propagation,
  trace,
} from '@opentelemetry/api';
import { ROUTES } from '@cairn/http-api';
import type { RouteName } from '@cairn/http-api';

/** Answer with the cause of a fault of the service, if it is one. */
interface SpanEnd {
  readonly answer: { readonly status: number };
  readonly fault: unknown;
}

/** True if an SDK of OpenTelemetry is in the process. */
export function isTraced(): boolean {
  const probe = trace.getTracer('cairn').startSpan('start');
  probe.end();
  return isSpanContextValid(probe.spanContext());
}

/**
 * Runs the work of a request in a span of OpenTelemetry, below that of the caller if it sent one. The span has the
 * route and not the path, which may be secret.
 */
export function inRequestSpan<T extends SpanEnd>(
  route: RouteName | 'none',
  requestId: string,
  headers: () => Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const active = context.active();
  const parent = propagation.fields().length === 0 ? active : propagation.extract(active, headers());
  const { method = '', path = '' } = route === 'none' ? {} : ROUTES[route];
  const attributes = { 'http.request.method': method, 'http.route': path, 'cairn.request_id': requestId };
  const options = { kind: SpanKind.SERVER, attributes };
  return trace
    .getTracer('cairn')
    .startActiveSpan(`${method} ${path}`.trim(), options, parent, async (span) => {
      const end = await work();
      span.setAttribute('http.response.status_code', end.answer.status);
      if (end.fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      return end;
    });
}
