import { blankRequest } from '../../test/blank.js';
import { cairnError } from '@cairn/diagnostics';
import { StreamCaller } from '@cairn/wire/caller';
import { MonitorClient } from '@cairn/wire/monitor-client';
import type { Monitor, RegisterResourceRequest, RunResult } from '@cairn/wire';
import type { OperationRequest } from '../model/request.js';
import type { Program, ProgramAddresses } from '../ports.js';
import { CallbackConnections } from '@cairn/wire/callbacks-client';
import type { ProviderSource } from '../providers/provider-source.js';
import { programRun } from './program-run.js';
import type { ProgramRun } from './program-run.js';
import type { PostRegistration } from '../model/registration.js';

/** A program from start to end: the result of its run, with nothing left behind. */

const OK: RunResult = { t: 'ok' };
const post: PostRegistration = () => undefined;

function runOf(program: Program | undefined): ProgramRun {
  const request: OperationRequest = {
    kind: 'up',
    preview: true,
    identity: { organization: 'o', project: 'p', stack: 's' },
    config: { values: {}, secretKeys: [] },
    base: { resources: [], pendingOperations: [], secretsProvider: undefined },
    scope: { targets: [], targetDependents: false, refresh: false },
    concurrency: { parallel: 1 },
    policy: { continueOnError: false, onError: 'stop' },
    packages: [],
    directories: { root: '/p', program: '/p' },
  };
  const failing = () => Promise.reject(cairnError('CAIRN-PROVIDER-REFERENCE', 'no provider here'));
  const providers: Partial<ProviderSource> = { forReference: failing };
  return programRun({
    request,
    ports: { emit: () => undefined, newId: () => 'id', program, providers: { load: failing } },
    providers: providers as ProviderSource,
    callbacks: new CallbackConnections(),
    during: (work) => work(),
    refused: () => undefined,
  });
}

const stack: RegisterResourceRequest = {
  ...blankRequest,
  type: 'pulumi:pulumi:Stack',
  name: 'p-s',
  custom: false,
  accepts: { ...blankRequest.accepts, byteStrings: true },
};

/** Makes a program that runs the given function, and counts its cancellations. */
function program(run: (addresses: ProgramAddresses) => Promise<RunResult>, rest: Partial<Program> = {}) {
  const noted = { cancelled: 0 };
  const made: Program = {
    run,
    cancel: async () => {
      noted.cancelled += 1;
    },
    ...rest,
  };
  return { made, noted };
}

/** Connects to an address as a program in a process of its own does. */
async function connected<T>(address: string, work: (monitor: Monitor) => Promise<T>): Promise<T> {
  const caller = new StreamCaller(address);
  try {
    return await work(new MonitorClient(caller));
  } finally {
    caller.close();
  }
}

test('without a program there is nothing to wait for', async () => {
  const run = runOf(undefined);
  expect([await run.run(post), await run.finished()]).toEqual([OK, OK]);
  await run.close();
});

test('a program is not started after its run was cancelled', async () => {
  let started = 0;
  const { made } = program(async () => {
    started += 1;
    return { t: 'bail' };
  });
  const run = runOf(made);
  run.cancel();
  expect([await run.run(post), await run.finished(), started]).toEqual([OK, OK, 0]);
  await run.close();
});

test.each(['tcp', 'socket'] as const)(
  'a program that signals has registered everything; its end comes later (%s)',
  async (kind) => {
    const { made } = program(async (addresses) => {
      expect(addresses.dryRun).toBe(true);
      const { monitor: address } = kind === 'tcp' ? addresses.onPort() : addresses;
      expect(address).toMatch(kind === 'tcp' ? /^127\.0\.0\.1:\d+$/ : /^unix:/);
      expect(addresses.shared().monitor).toBe(address);
      await connected(address, (monitor) => monitor.signalAndWaitForShutdown());
      return { t: 'failed', message: 'after all' };
    });
    const run = runOf(made);
    expect(await run.run(post)).toEqual(OK);
    expect(await run.finished()).toEqual({ t: 'failed', message: 'after all' });
    await run.close();
  },
);

test('a program that just ends says itself how', async () => {
  const { made } = program(async () => ({ t: 'bail' }), { inProcess: true });
  const run = runOf(made);
  expect(await run.run(post)).toEqual({ t: 'bail' });
  await run.close();
});

test.each([
  ['without the outputs of its stack, which its runner registers always', '', 'outputs', 'failed'],
  ['without the outputs of its stack, from a runner nobody knows', '', undefined, 'ok'],
  ['after the outputs of its stack', 'p-s', 'outputs', 'ok'],
  ['after the outputs of a stack with another name', 'other', 'outputs', 'ok'],
] as const)('a program that ends with success %s', async (_title, outputs, ending, expected) => {
  const urn = `urn:pulumi:s::p::pulumi:pulumi:Stack::${outputs}`;
  const { made } = program(
    async ({ services: { monitor } }) => {
      void monitor.registerResource(stack).catch(() => undefined);
      if (outputs !== '') void monitor.registerResourceOutputs({ urn, outputs: {} }).catch(() => undefined);
      return { t: 'ok' };
    },
    { inProcess: true, ending: () => ending },
  );
  const run = runOf(made);
  expect((await run.run(post)).t).toBe(expected);
  await run.close();
});

test.each([
  ['whose runner looks for lost promises at its end', 'late', /still waits for a promise/],
  ['whose runner looks for them before', 'outputs', undefined],
  ['from a runner nobody knows', undefined, undefined],
] as const)('a program that signs off without outputs of its stack, %s', async (_title, ending, said) => {
  const { made } = program(
    async ({ services: { monitor } }) => {
      void monitor.registerResource(stack).catch(() => undefined);
      await monitor.signalAndWaitForShutdown();
      return { t: 'ok' };
    },
    { inProcess: true, ending: () => ending },
  );
  const run = runOf(made);
  const result = await run.run(post);
  expect(result.t === 'failed' ? result.message : undefined).toEqual(
    said === undefined ? undefined : expect.stringMatching(said),
  );
  await run.close();
});

test('a program in this process gets the services, and nothing listens', async () => {
  const { made } = program(
    async ({ monitor, shared, onPort, services }) => {
      expect([monitor, shared().monitor, onPort().monitor]).toEqual(['', '', '']);
      await services.monitor.signalAndWaitForShutdown();
      return OK;
    },
    { inProcess: true },
  );
  const run = runOf(made);
  expect(await run.run(post)).toEqual(OK);
  expect(await run.finished()).toEqual(OK);
  await run.close();
});

test('what fails the operation inside the monitor rejects the run; the program is told that it is over', async () => {
  let told: unknown;
  const { made } = program(
    async ({ services }) => {
      await services.monitor
        .call({
          token: 'a:m:T/m',
          args: {},
          argDependencies: {},
          provider: 'urn:pulumi:s::p::pulumi:providers:a::n::id',
          package: { version: '', pluginDownloadUrl: '', pluginChecksums: {}, packageRef: '' },
        })
        .catch((error: unknown) => (told = error));
      return { t: 'bail' };
    },
    { inProcess: true },
  );
  const run = runOf(made);
  await expect(run.run(post)).rejects.toThrow('no provider here');
  await run.finished();
  expect(told).toMatchObject({ status: 'UNAVAILABLE' });
  await run.close();
});

test('cancelling refuses what waits and cancels the program once it runs', async () => {
  let started: () => void = () => {};
  const running = new Promise<void>((resolve) => (started = resolve));
  const { made, noted } = program(
    async ({ services }) => {
      const wait = services.monitor.registerResourceOutputs({ urn: 'urn:pulumi:s::p::t::n', outputs: {} });
      started();
      return wait.then(
        () => OK,
        () => ({ t: 'bail' }) as const,
      );
    },
    { inProcess: true },
  );
  const run = runOf(made);
  const result = run.run(post);
  await running;
  run.cancel();
  expect(await result).toEqual({ t: 'bail' });
  expect(noted.cancelled).toBe(1);
  await run.close();
});

test('a run that is cancelled before it starts does not start', async () => {
  const { made } = program(() => Promise.reject(new Error('started')), { inProcess: true });
  const run = runOf(made);
  run.cancel();
  expect(await run.run(post)).toEqual(OK);
  await run.close();
});

test('a program that cannot be started rejects the run', async () => {
  const { made } = program(() => Promise.reject(cairnError('CAIRN-PROGRAM-LOAD', 'cannot load')), {
    inProcess: true,
  });
  const run = runOf(made);
  await expect(run.run(post)).rejects.toThrow('cannot load');
  await run.close();
});
