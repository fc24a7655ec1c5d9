import { randomBytes } from 'node:crypto';

/** End of a call that a span describes; `inside` for none. */
export type SpanKind = 'inside' | 'server' | 'client';

/** Work that took time, as part of other work. Times are nanoseconds since 1970. */
export interface Span {
  readonly traceId: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly from: bigint;
  readonly to: bigint;
  readonly attributes: Readonly<Record<string, string>>;
  /** Error message, if the work failed. */
  readonly error: string | undefined;
}

/** A span that has not ended. */
export interface OpenSpan {
  /** W3C's header that makes spans of other processes parts of this one. */
  readonly traceparent: string;
  /** Begins a part of this span. */
  child(name: string, kind: SpanKind, attributes?: Readonly<Record<string, string>>): OpenSpan;
  end(error?: string): void;
}

/** Begins a trace; `ended` receives each of its spans. */
export function startTrace(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ended: (span: Span) => void,
  inherited?: string,
): OpenSpan {
  const outer = parsed(inherited);
  const traceId = outer?.traceId ?? randomBytes(16).toString('hex');
  return open({ traceId, parent: outer?.id, ended }, name, 'inside', attributes);
}

/** Begins a part of a span of another process. Returns undefined if the header is not of this trace. */
export function continued(
  root: OpenSpan,
  header: string | undefined,
  ended: (span: Span) => void,
  name: string,
  kind: SpanKind,
  attributes: Readonly<Record<string, string>>,
): OpenSpan | undefined {
  const outer = parsed(header);
  const own = parsed(root.traceparent);
  if (outer === undefined || outer.traceId !== own?.traceId) return undefined;
  return open({ traceId: outer.traceId, parent: outer.id, ended }, name, kind, attributes);
}

interface Place {
  readonly traceId: string;
  readonly parent: string | undefined;
  readonly ended: (span: Span) => void;
}

function open(
  { traceId, parent, ended }: Place,
  name: string,
  kind: SpanKind,
  attributes: Readonly<Record<string, string>> = {},
): OpenSpan {
  const id = randomBytes(8).toString('hex');
  const from = nanoseconds();
  let over = false;
  return {
    traceparent: `00-${traceId}-${id}-01`,
    child: (...part) => open({ traceId, parent: id, ended }, ...part),
    end: (error) => {
      if (over) return;
      over = true;
      ended({ traceId, id, parent, name, kind, from, to: nanoseconds(), attributes, error });
    },
  };
}

function nanoseconds(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e3)) * 1_000n;
}

function parsed(header: string | undefined): { readonly traceId: string; readonly id: string } | undefined {
  const [, traceId, id] = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/.exec(header ?? '') ?? [];
  return traceId === undefined || id === undefined ? undefined : { traceId, id };
}
