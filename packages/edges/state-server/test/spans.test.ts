import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, context, propagation, trace } from '@opentelemetry/api';
import type { Context, ContextManager, Span, Tracer } from '@opentelemetry/api';
import { S, endServices, startTestService } from './service.js';

interface SeenSpan {
  readonly name: string;
  readonly parent: string | undefined;
  readonly attributes: Record<string, unknown>;
  ended: boolean;
}

const spans: SeenSpan[] = [];
const storage = new AsyncLocalStorage<Context>();

const contexts: ContextManager = {
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, work, self, ...args) => storage.run(active, () => work.apply(self as never, args)),
  bind: (_context, target) => target,
  enable: () => contexts,
  disable: () => contexts,
};

/** SDK that keeps spans. Its ids are the names of the spans. */
const tracer: Tracer = {
  startSpan: (name, options = {}, parentContext = context.active()) => {
    const parent = trace.getSpan(parentContext) as (Span & { readonly seen?: SeenSpan }) | undefined;
    const seen: SeenSpan = {
      ...{ name, parent: parent?.seen?.name, attributes: { ...options.attributes }, ended: false },
    };
    spans.push(seen);
    const span = {
      seen,
      spanContext: () => ({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }),
      setAttribute: (key: string, value: unknown) => ((seen.attributes[key] = value), span),
      setStatus: () => span,
      end: () => void (seen.ended = true),
      isRecording: () => true,
    } as unknown as Span;
    return span;
  },
  startActiveSpan: (name: string, ...rest: readonly unknown[]) => {
    const work = rest.at(-1) as (span: Span) => unknown;
    const [options, parent] = rest.length > 1 ? (rest as [object, Context]) : [{}, context.active()];
    const span = tracer.startSpan(name, options, parent);
    return context.with(trace.setSpan(parent, span), () => work(span)) as never;
  },
};

afterEach(async () => {
  await endServices();
  for (const each of [trace, context, propagation]) each.disable();
});

test('a request and its calls of the store are spans if an SDK is there, without tokens and paths', async () => {
  context.setGlobalContextManager(contexts);
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  spans.length = 0;
  await service.call('GET', S);
  const [request, ...calls] = spans;
  expect(request).toMatchObject({
    name: 'GET /api/stacks/{org}/{project}/{stack}',
    attributes: { 'http.response.status_code': 200, 'http.route': '/api/stacks/{org}/{project}/{stack}' },
  });
  expect(calls.map(({ name }) => name)).toEqual(expect.arrayContaining(['store turn', 'store stackRecord']));
  expect(calls.find(({ name }) => name === 'store stackRecord')?.parent).toBe('store turn');
  expect(calls.find(({ name }) => name === 'store turn')?.parent).toBe(request?.name);
  expect(spans.every(({ ended }) => ended)).toBe(true);
  expect(JSON.stringify(spans)).not.toContain(service.token);
});

test('without an SDK the store is not wrapped', async () => {
  const service = await startTestService();
  await service.call('GET', S);
  expect(spans.filter(({ ended }) => !ended)).toEqual([]);
});
