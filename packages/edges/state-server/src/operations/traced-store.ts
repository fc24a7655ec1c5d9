import { SpanStatusCode, trace } from '@opentelemetry/api';
import { isTraced } from '../routes/request-span.js';
import type { ServiceStore } from '../store/service-store.js';

/** Returns a store that makes a span for each call, if an SDK of OpenTelemetry is in the process; else the store. */
export function tracedStore(store: ServiceStore): ServiceStore {
  return isTraced() ? traced(store) : store;
}

function traced<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (_target, name: string) => {
      const value = target[name as keyof T] as unknown;
      if (typeof value === 'object' && value !== null) return traced(value);
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...args: unknown[]) => unknown;
      if (name !== 'turn') return (...args: unknown[]) => inSpan(name, () => call(...args));
      return (stacks: unknown, work: (inner: object) => unknown) =>
        inSpan(name, () => call(stacks, (inner: object) => work(traced(inner))));
    },
  });
}

function inSpan(name: string, work: () => unknown): unknown {
  return trace.getTracer('cairn').startActiveSpan(`store ${name}`, (span) => {
    const result = work();
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return result.then(
      (value: unknown) => {
        span.end();
        return value;
      },
      (thrown: unknown) => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        throw thrown;
      },
    );
  });
}
