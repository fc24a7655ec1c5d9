import { blankRequest } from '../../test/blank.js';
import { CallbackConnections } from '@cairn/wire/callbacks-client';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeUrn } from '@cairn/addresses';
import { OutputValue, UNKNOWN, propertyMap, secret } from '@cairn/values';
import { Http2Caller, StreamCaller } from '@cairn/wire/caller';
import type { Caller } from '@cairn/wire/caller';
import { EngineClient } from '@cairn/wire/engine-client';
import { MonitorClient } from '@cairn/wire/monitor-client';
import type { RegisterResourceRequest } from '@cairn/wire';
import type { EngineEvent } from '../model/events.js';
import type { EnginePorts } from '../ports.js';
import { createProviderSource } from '../providers/registry.js';
import { createMonitor } from './create-monitor.js';
import type { ProgramMonitor } from './create-monitor.js';
import type { Registration } from '../model/registration.js';
import type { Goal } from '../model/goal.js';
import { serveMonitor } from './serve-monitor.js';

/** The monitor behind real connections: loopback ports and socket files, call by call and framed on a stream. */

const identity = { organization: 'o', project: 'p', stack: 's' };

function registration(name: string, rest: Partial<RegisterResourceRequest> = {}): RegisterResourceRequest {
  return {
    ...blankRequest,
    type: 'my:i:C',
    name,
    custom: false,
    accepts: { ...blankRequest.accepts, byteStrings: true },
    ...rest,
  };
}

interface Inbox {
  readonly monitor: ProgramMonitor;
  readonly goals: Goal[];
  readonly events: EngineEvent[];
  readonly aborted: Error[];
}

/** A monitor whose engine is the given function. */
function inbox(answer: (registration: Registration) => void, config: Record<string, string> = {}): Inbox {
  const goals: Goal[] = [];
  const events: EngineEvent[] = [];
  const aborted: Error[] = [];
  const request = {
    identity,
    config: { values: config, secretKeys: [] },
    preview: false,
    concurrency: { parallel: 4 },
    packages: [],
    directories: { root: '/proj', program: '/proj' },
  };
  const ports = {
    emit: (event: EngineEvent) => void events.push(event),
    newId: () => 'id',
    providers: { load: () => Promise.reject(new Error('no plugins')) },
    stackOutputs: () => Promise.reject(new Error('no stacks')),
  } satisfies Partial<EnginePorts>;
  const base = { resources: [], pendingOperations: [], secretsProvider: undefined };
  const providers = createProviderSource({
    request: { base, preview: false },
    ports,
    entry: () => undefined,
  });
  const monitor = createMonitor({
    request,
    ports,
    providers,
    callbacks: new CallbackConnections(),
    address: () => '127.0.0.1:1',
    abort: (error) => void aborted.push(error),
    refused: (error) => void aborted.push(error),
    post: (posted) => {
      if (posted.t === 'register') goals.push(posted.goal);
      answer(posted);
    },
  });
  return { monitor, goals, events, aborted };
}

/** Answers every registration with its own inputs. */
function echo(posted: Registration): void {
  if (posted.t === 'register') {
    const { urn, inputs: outputs } = posted.goal;
    posted.reply.resolve({ urn, id: '', outputs, result: 'success', unknown: false });
  } else if (posted.t === 'outputs') posted.reply.resolve();
  else posted.reply.resolve({ urn: posted.goal.urn, id: posted.goal.id, outputs: posted.goal.properties });
}

async function connected<T>(
  made: Inbox,
  transport: 'unary' | 'stream' | 'socket',
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const served = await serveMonitor(made.monitor, { emit: (event) => void made.events.push(event) });
  const address = transport === 'socket' ? served.address : served.port();
  const caller = transport === 'unary' ? new Http2Caller(address) : new StreamCaller(address);
  try {
    return await work(caller);
  } finally {
    caller.close();
    made.monitor.shutDown();
    await served.close();
  }
}

describe.each(['unary', 'stream', 'socket'] as const)('over %s', (transport) => {
  test('registrations become goals and answers come back', async () => {
    const made = inbox(echo);
    const inputs = propertyMap({
      plain: 1,
      hidden: secret('x'),
      open: UNKNOWN,
      from: new OutputValue('v', false, []),
    });
    const answer = await connected(made, transport, (caller) =>
      new MonitorClient(caller).registerResource(registration('c', { inputs })),
    );
    const urn = makeUrn({ ...identity, type: 'my:i:C', name: 'c' });
    expect(answer.urn).toBe(urn);
    expect(answer.outputs).toEqual(propertyMap({ plain: 1, hidden: secret('x'), open: UNKNOWN, from: 'v' }));
    expect(made.goals.map((goal) => goal.urn)).toEqual([urn]);
  });

  test('what is announced is what there is', async () => {
    const made = inbox(echo, { 'p:k': 'v' });
    const info = await connected(made, transport, (caller) => new MonitorClient(caller).getDeploymentInfo());
    expect(info).toMatchObject({
      project: 'p',
      stack: 's',
      organization: 'o',
      dryRun: false,
      parallel: 4,
      config: { 'p:k': 'v' },
    });
    expect([...info.features].sort()).toEqual(
      [
        'aliasSpecs',
        'byteString',
        'callOutputValues',
        'deletedWith',
        'errorHooks',
        'invokeDependsOn',
        'invokeOutputValues',
        'invokeParent',
        'outputValues',
        'parameterization',
        'replaceWith',
        'replacementTrigger',
        'resourceHooks',
        'resourceReferences',
        'secrets',
        'sendsOptionsToHooks',
        'transforms',
        'invokeTransforms',
      ].sort(),
    );
  });

  test('messages of the program become events', async () => {
    const made = inbox(echo);
    await connected(made, transport, (caller) =>
      new EngineClient(caller).log({
        severity: 'warning',
        message: 'careful',
        urn: '',
        streamId: 0,
        ephemeral: false,
      }),
    );
    expect(made.events).toMatchObject([
      { t: 'diagnostic', diagnostic: { severity: 'warning', summary: 'careful' } },
    ]);
  });

  test('a request that is wrong is refused with its status', async () => {
    const made = inbox(echo);
    const refused = connected(made, transport, (caller) =>
      new MonitorClient(caller).registerResource(registration('c', { parent: 'x' })),
    );
    await expect(refused).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: expect.stringContaining('parent "x"'),
    });
    expect([made.goals, made.aborted]).toEqual([[], []]);
  });

  test('shutting down answers the wait, and ends everything else as unavailable [REG-17]', async () => {
    let arrived: () => void = () => {};
    const waiting = new Promise<void>((resolve) => (arrived = resolve));
    const made = inbox(() => arrived());
    await connected(made, transport, async (caller) => {
      const client = new MonitorClient(caller);
      const never = client.registerResource(registration('c'));
      never.catch(() => undefined);
      await waiting;
      const wait = client.signalAndWaitForShutdown();
      await made.monitor.signalled;
      await expect(client.signalAndWaitForShutdown()).rejects.toMatchObject({
        status: 'FAILED_PRECONDITION',
      });
      made.monitor.shutDown();
      await wait;
      await expect(never).rejects.toMatchObject({ status: 'UNAVAILABLE' });
      await expect(client.registerResource(registration('d'))).rejects.toMatchObject({
        status: 'UNAVAILABLE',
      });
      await expect(client.signalAndWaitForShutdown()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    });
  });
});

test('what the engine refuses is not reported again; the program learns that it is over', async () => {
  const made = inbox((posted) => posted.reply.refuse(new Error('reported by the engine')));
  await expect(made.monitor.monitor.registerResource(registration('c'))).rejects.toMatchObject({
    status: 'UNAVAILABLE',
  });
  expect(made.aborted).toEqual([]);
});

test('a mistake of ours ends the operation', async () => {
  const made = inbox(() => {
    throw new TypeError('a mistake');
  });
  await expect(made.monitor.monitor.registerResource(registration('c'))).rejects.toMatchObject({
    status: 'UNAVAILABLE',
  });
  expect(made.aborted).toEqual([new TypeError('a mistake')]);
});

test('the socket file is in a folder that only our user may enter, and closing removes both', async () => {
  const served = await serveMonitor(inbox(echo).monitor, { emit: () => {} });
  const directory = dirname(served.address.slice('unix:'.length));
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  await served.close();
  await expect(stat(directory)).rejects.toThrow('ENOENT');
});
