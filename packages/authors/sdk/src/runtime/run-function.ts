import { setImmediate as turn } from 'node:timers/promises';
import type { EngineService, Monitor } from '@cairn/wire';
import { RegisteredCallbacks } from './callbacks.js';
import { inDeployment } from './deployment.js';
import type { Deployment, DeploymentSettings } from './deployment.js';
import type { Failure } from './failures.js';
import { offeredModule } from './offered-module.js';
import { makeDeployment, reportFailure, signOff, startProgram } from './run-program.js';
import { OpenCalls, watchSilence } from './silence.js';
import type { SilenceLimits } from './silence.js';
import { hearUnhandled } from './unhandled.js';

/** Connections and settings of a function that runs as a program. */
export interface FunctionPorts {
  readonly monitor: Monitor;
  readonly engine: EngineService;
  readonly settings: DeploymentSettings;
  /** Directory that paths in messages are relative to. */
  readonly directory: string;
  /** Time limit for a wait without any call under way. */
  readonly patience?: SilenceLimits | undefined;
}

/** A function that runs as a program. */
export interface RunningFunction {
  /** Outcome: `failed` means that the reason was reported. Never rejects. */
  readonly finished: Promise<'ok' | 'failed' | 'stopped'>;
  /** Stops waiting for the function. Its later declarations are refused. */
  stop(): void;
}

/** Quiet turns of the event loop after which nothing more is expected. */
const QUIET_TURNS = 5;

/** Turns in which promises that can no longer resolve receive the failure. */
const LAST_TURNS = 10;

/**
 * Runs a function of this process as a program. Its declarations are part of this deployment, and the members of its
 * result are the stack's outputs. It ends when its result is known and all its registrations and invokes are answered.
 * Later declarations are refused. Several can run at once.
 */
export function runFunction(program: () => unknown, ports: FunctionPorts): RunningFunction {
  const life = new Life();
  const callbacks = new RegisteredCallbacks();
  const calls = new OpenCalls();
  const counted = { ...ports, monitor: calls.count(ports.monitor) };
  const deployment: Deployment = { ...makeDeployment(counted, callbacks), refusal: () => life.over };
  const stopHearing = hearUnhandled(deployment);
  const started = inDeployment(deployment, () => startProgram(deployment, () => offeredModule(program)));
  const finished = inDeployment(deployment, () => run(deployment, started.ended, ports, life, calls))
    .catch(() => 'failed' as const)
    .finally(async () => {
      life.over ??= 'its program has failed';
      await callbacks.close();
    });
  // Failures caused by ending the program are of no interest, however long the function runs.
  void finished.then(async (how) => {
    if (how !== 'ok') await started.ended.then(() => turns(LAST_TURNS));
    stopHearing();
  });
  return { finished, stop: () => life.stop() };
}

/** Progress of a program. */
class Life {
  /** Reason why no more declarations are allowed. */
  over: string | undefined;
  stop: () => void = () => undefined;
  readonly stopped = new Promise<'stopped'>((resolve) => {
    this.stop = () => {
      this.over ??= 'its operation was ended';
      resolve('stopped');
    };
  });
}

async function run(
  deployment: Deployment,
  ended: Promise<void>,
  { directory, patience = {} }: FunctionPorts,
  life: Life,
  calls: OpenCalls,
): Promise<'ok' | 'failed' | 'stopped'> {
  const { failures } = deployment;
  let reported: Promise<void> | undefined;
  const report = async (failure: Failure): Promise<'failed'> => {
    if (failure.t === 'loud') await (reported = reportFailure(deployment, failure, directory));
    return 'failed';
  };
  const failed = failures.ended.then(report);
  const over = new AbortController();
  void watchSilence(deployment, calls, patience, over.signal).catch(() => undefined);
  const early = await Promise.race([quiet(deployment, ended), failed, life.stopped]);
  over.abort();
  if (early !== undefined) return early;
  await reported;
  if (failures.any) return 'failed';
  life.over = 'its program has come to its end; await everything that declares resources';
  const end = await Promise.race([signOff(deployment).then(() => undefined), failed, life.stopped]);
  return end ?? (failures.any ? 'failed' : 'ok');
}

/** Resolves when the function has ended and nothing that it began is pending. */
async function quiet({ pending }: Deployment, ended: Promise<void>): Promise<undefined> {
  await ended;
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    if (pending.size > 0) {
      await pending.whenIdle();
      quiet = 0;
    }
    await turn();
  }
}

async function turns(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await turn();
}
