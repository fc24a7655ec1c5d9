import { rootStackUrn } from '@cairn/addresses';
import type { Program } from '@cairn/engine';
import { Asset, UNKNOWN, propertyMap } from '@cairn/values';
import type {
  EngineService,
  Monitor,
  RegisterResourceRequest,
  RegisterResourceResponse,
  RunResult,
} from '@cairn/wire';
import { MockStack, diffAnswer, registerRequest } from '@cairn/testkit';
import type { RequestOptions } from '@cairn/testkit';

type ProgramBody = (monitor: Monitor) => Promise<void>;

/** A stack whose programs call the monitor themselves. */
class MonitoredStack {
  readonly stack = new MockStack();
  readonly providers = this.stack.providers;

  get snapshot() {
    return this.stack.snapshot;
  }

  async run(options: RequestOptions, body: ProgramBody | undefined, program = body && inProcess(body)) {
    const { result, allSteps } = await this.stack.run({ kind: 'up', ...options, program }, undefined);
    return { result, steps: allSteps };
  }
}

function inProcess(body: ProgramBody): Program {
  return {
    inProcess: true,
    run: ({ services }): Promise<RunResult> =>
      body(services.monitor).then(
        () => ({ t: 'ok' }),
        (thrown: unknown) => ({ t: 'failed', message: String(thrown) }),
      ),
    cancel: () => Promise.resolve(),
  };
}

function register(
  monitor: Monitor,
  name: string,
  request: Partial<RegisterResourceRequest> = {},
): Promise<RegisterResourceResponse> {
  return monitor.registerResource(registerRequest({ type: 'pkgA:m:typA', name, ...request }));
}

const stack = rootStackUrn('test', 'test');

const small: ProgramBody = async (monitor) => {
  await register(monitor, 'test-test', { type: 'pulumi:pulumi:Stack', custom: false });
  const comp = await register(monitor, 'comp', { type: 'my:index:Comp', custom: false, parent: stack });
  const a = await register(monitor, 'resA', { parent: comp.urn, inputs: propertyMap({ foo: 'bar' }) });
  await register(monitor, 'resB', {
    parent: stack,
    dependencies: [a.urn],
    inputs: propertyMap({ in: a.outputs['foo'] ?? UNKNOWN }),
  });
  await monitor.registerResourceOutputs({ urn: comp.urn, outputs: propertyMap({ done: true }) });
  await monitor.registerResourceOutputs({ urn: stack, outputs: propertyMap({ id: a.id }) });
};

test('LT1-158 a program on the real monitor: up, up again, preview, refresh, destroy', async () => {
  const world = new MonitoredStack();
  const preview = await world.run({ preview: true }, small);
  expect(preview.result.summary.result).toBe('succeeded');
  const up = await world.run({}, small);
  expect(up.steps).toEqual(preview.steps);
  expect(up.steps).toEqual([
    'create test-test',
    'create comp',
    'create default',
    'create resA',
    'create resB',
  ]);
  expect(up.result.stackOutputs).toEqual({ id: 'id-1' });
  const again = await world.run({}, small);
  expect(again.steps.every((step) => step.startsWith('same '))).toBe(true);
  const refreshed = await world.run({ kind: 'refresh' }, undefined);
  expect(refreshed.steps.every((step) => step.startsWith('refresh '))).toBe(true);
  const destroyed = await world.run({ kind: 'destroy' }, undefined);
  expect(destroyed.result.diagnostics).toEqual([]);
  expect(world.snapshot.resources).toEqual([]);
  expect(world.providers.called('delete')).toHaveLength(2);
  expect(world.providers.called('configure').length).toBeGreaterThan(0);
});

test('a provider that is not there is one error on the resource that needs it', async () => {
  const world = new MonitoredStack();
  world.providers.missing.add('missing');
  const run = await world.run({}, async (monitor) => {
    await register(monitor, 'resA', { type: 'missing:m:typA' });
  });
  expect(run.result.summary.result).toBe('failed');
  expect(run.result.diagnostics.filter((each) => each.severity === 'error')).toHaveLength(1);
  expect(run.result.diagnostics[0]?.summary).toContain('no plugin for the package missing');
});

test('LT1-003 a provider whose settings are not known yet: its resources may change, with a warning', async () => {
  const world = new MonitoredStack();
  const program =
    (setting: Parameters<typeof propertyMap>[0]): ProgramBody =>
    async (monitor) => {
      const { urn, id } = await register(monitor, 'provA', {
        type: 'pulumi:providers:pkgA',
        inputs: propertyMap(setting),
      });
      await register(monitor, 'resA', { provider: `${urn}::${id}`, inputs: propertyMap({ a: 1 }) });
    };
  await world.run({}, program({ region: 'x' }));
  const preview = await world.run({ preview: true }, program({ region: UNKNOWN }));
  expect(preview.result.summary.result).toBe('succeeded');
  expect(preview.steps).toContain('update resA');
  expect(preview.result.diagnostics).toContainEqual(expect.objectContaining({ severity: 'warning' }));
});

test('continue-on-error reaches a program that understands results', async () => {
  const world = new MonitoredStack();
  world.providers.behaviour = {
    create: () => Promise.reject(Object.assign(new Error('no'), { code: 3 })),
    diff: () => Promise.resolve(diffAnswer('none')),
  };
  const results: string[] = [];
  await world.run({ policy: { continueOnError: true } }, async (monitor) => {
    const a = await register(monitor, 'resA');
    results.push(a.result, (await register(monitor, 'resB', { dependencies: [a.urn] })).result);
  });
  expect(results).toEqual(['fail', 'skip']);
});

test('LT1-002 without a program an up is an empty program', async () => {
  const world = new MonitoredStack();
  await world.run({}, small);
  const run = await world.run({}, undefined);
  expect(run.result.summary.result).toBe('succeeded');
  expect(world.snapshot.resources).toEqual([]);
});

test('a file that cannot be read is told once; the program hears of it, goes on and registers its outputs', async () => {
  const world = new MonitoredStack();
  const told: string[] = [];
  const run = await world.run({}, async (monitor) => {
    await register(monitor, 'test-test', { type: 'pulumi:pulumi:Stack', custom: false });
    await register(monitor, 'resA', { inputs: propertyMap({ file: new Asset({ path: '/no/file' }) }) }).catch(
      (thrown: unknown) => told.push(String(thrown)),
    );
    await register(monitor, 'resB');
    await monitor.registerResourceOutputs({ urn: stack, outputs: propertyMap({ late: true }) });
    throw new Error(told[0]);
  });
  const said = 'cannot read file "/no/file" of property "file": there is no such file';
  expect(told).toEqual([expect.stringContaining(said)]);
  expect(run.result.diagnostics).toEqual([
    expect.objectContaining({ code: 'CAIRN-RESOURCE-ASSET', summary: said }),
  ]);
  expect(run.result.summary.result).toBe('failed');
  expect(run.result.stackOutputs).toEqual({ late: true });
});

test('a program that was refused a file deletes nothing, also when it ends as if nothing had been', async () => {
  const world = new MonitoredStack();
  await world.run({}, small);
  const before = world.snapshot.resources.map(({ urn }) => urn);
  const run = await world.run({}, async (monitor) => {
    const inputs = propertyMap({ file: new Asset({ path: '/no/file' }) });
    await register(monitor, 'resA', { inputs }).catch(() => undefined);
  });
  expect(run.result.summary.result).toBe('failed');
  expect(world.snapshot.resources.map(({ urn }) => urn)).toEqual(before);
});

/**
 * Makes a program that registers the stack and ends with exit code 32, which means that it has reported its failure.
 */
function bailing(report: (services: { readonly engine: EngineService }) => Promise<void>): Program {
  return {
    inProcess: true,
    run: async ({ services }): Promise<RunResult> => {
      await register(services.monitor, 'test-test', { type: 'pulumi:pulumi:Stack', custom: false });
      await report(services);
      return { t: 'bail' };
    },
    cancel: () => Promise.resolve(),
  };
}

test.each([
  ['nothing', async () => undefined, /reported nothing/],
  [
    'why',
    ({ engine }: { readonly engine: EngineService }) =>
      engine.log({ severity: 'error', message: 'no quota', urn: '', streamId: 0, ephemeral: false }),
    /^no quota$/,
  ],
])('a program that fails and has said %s: one error, also in a preview', async (_said, report, text) => {
  for (const preview of [true, false]) {
    const run = await new MonitoredStack().run({ preview }, undefined, bailing(report));
    const errors = run.result.diagnostics.filter((each) => each.severity === 'error');
    expect(run.result.summary.result).toBe('failed');
    expect(errors.map(({ summary }) => summary)).toEqual([expect.stringMatching(text)]);
  }
});

/** Makes a program that continues after its registration was refused, until it is cancelled. */
function stubborn(afterwards: (monitor: Monitor) => void): Program {
  let end: (result: RunResult) => void = () => undefined;
  return {
    inProcess: true,
    run: ({ services }) => {
      void register(services.monitor, 'resA').catch(() => afterwards(services.monitor));
      return new Promise((resolve) => (end = resolve));
    },
    cancel: () => {
      end({ t: 'failed', message: 'killed' });
      return Promise.resolve();
    },
  };
}

test('a program that does not end after a failure is cancelled, and that is no news', async () => {
  const world = new MonitoredStack();
  world.providers.behaviour = { create: () => Promise.reject(Object.assign(new Error('no'), { code: 3 })) };
  const late: unknown[] = [];
  const program = stubborn((monitor) => {
    register(monitor, 'resB').catch((thrown: unknown) => late.push(thrown));
  });
  const run = await world.run({}, undefined, program);
  expect(run.result.summary.result).toBe('failed');
  expect(run.result.diagnostics.filter((each) => each.severity === 'error')).toHaveLength(1);
  expect(late).toEqual([expect.objectContaining({ status: 'UNAVAILABLE' })]);
});
