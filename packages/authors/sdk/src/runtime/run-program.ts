import { ROOT_STACK_TYPE } from '@cairn/addresses';
import { emptyMap } from '@cairn/values';
import { isStatusError } from '@cairn/wire';
import type { EngineService, Monitor } from '@cairn/wire';
import { ResourceNode } from '../resource/node.js';
import { registerRequest } from '../resource/request.js';
import type { StackResource } from '../resource/state.js';
import { RegisteredCallbacks } from './callbacks.js';
import { setDeployment } from './deployment.js';
import type { Deployment, DeploymentSettings, ProgramModules } from './deployment.js';
import { Failures } from './failures.js';
import type { Failure } from './failures.js';
import { LateInputs } from './late-inputs.js';
import { PendingRequests } from './pending.js';
import { describeProgramError, describeUnawaited, failureCode } from './program-error.js';
import { findWaitCycle, stuckError } from './stuck.js';
import { moduleOutputs, serializeStackOutputs } from './stack-outputs.js';

/** Exit codes of a program: `failed` means that the reason was reported. */
// [PRG-5]
export const PROGRAM_EXIT = { ok: 0, failed: 32 } as const;

/** Connections and settings of a program's run. */
export interface ProgramPorts {
  readonly monitor: Monitor;
  readonly engine: EngineService;
  readonly settings: DeploymentSettings;
  readonly modules?: ProgramModules | undefined;
  /** Directory that paths in messages are relative to. */
  readonly directory: string;
  /** Resolves when nothing more can happen: the event loop has drained. Called again after more has happened. */
  readonly idle: () => Promise<void>;
  /** Returns the exit code that the program has set. Without it the program sets none. */
  readonly exitCode?: (() => number) | undefined;
}

/** A running program. */
export interface StartedProgram {
  /** Exit code, after everything is reported and done. */
  readonly finished: Promise<number>;
  /** Receives an error that the program did not handle. `unawaited` marks an error of a promise that no code awaits. */
  report(error: unknown, unawaited?: boolean): void;
}

/**
 * Runs a program: registers the stack and loads the program's module, whose top level declares resources. Sends its
 * exports as stack outputs, waits until nothing more can happen and signs off. Failures are reported to the engine
 * once. The deployment remains that of the process afterwards: the process is expected to end.
 */
export function runProgram(load: () => Promise<object>, ports: ProgramPorts): StartedProgram {
  const deployment = makeDeployment(ports, new RegisteredCallbacks());
  setDeployment(deployment);
  const { isLoaded } = startProgram(deployment, load);
  const { failures } = deployment;
  return {
    finished: finish(deployment, ports, isLoaded),
    report: (error, unawaited) => failures.report(error, unawaited),
  };
}

/** Creates a deployment in which nothing has happened yet. */
export function makeDeployment(
  { settings, monitor, engine, modules }: Pick<ProgramPorts, 'settings' | 'monitor' | 'engine' | 'modules'>,
  callbacks: RegisteredCallbacks,
): Deployment {
  const root = new ResourceNode({
    kind: 'stack',
    type: ROOT_STACK_TYPE,
    name: `${settings.project}-${settings.stack}`,
    parent: undefined,
  }) as StackResource & ResourceNode;
  const [pending, failures, late] = [new PendingRequests(), new Failures(), new LateInputs(monitor)];
  return { settings, monitor, engine, root, pending, failures, late, callbacks, modules };
}

/** A program that was started. */
interface LoadingProgram {
  /** Tells whether the program has ended and its outputs are sent. */
  readonly isLoaded: () => boolean;
  /** Resolves when the program has ended, well or not. */
  readonly ended: Promise<void>;
}

/**
 * Registers the stack, loads the program and sends its outputs. The caller is in the deployment. Failures are recorded
 * there.
 */
export function startProgram(deployment: Deployment, load: () => Promise<object>): LoadingProgram {
  registerStack(deployment, deployment.root as StackResource & ResourceNode);
  let loaded = false;
  const body = async (): Promise<void> => {
    await sendOutputs(deployment, await load());
    loaded = true;
  };
  const ended = body().catch((error: unknown) => deployment.failures.report(error));
  return { isLoaded: () => loaded, ended };
}

function registerStack({ monitor, pending, failures }: Deployment, root: ResourceNode): void {
  const work = async () => {
    const { urn } = await monitor.registerResource(await registerRequest(root, emptyMap, {}));
    return { urn, id: undefined, outputs: emptyMap, outputDependencies: {}, missingAreUnknown: false };
  };
  root.start(
    pending.track({ kind: 'call', what: 'the registration of the stack', declaredAt: undefined }, work()),
  );
  root.registered().catch((error: unknown) => failures.report(error));
}

async function sendOutputs({ root, monitor, engine }: Deployment, module: object): Promise<void> {
  const { properties, undefinedKeys } = await serializeStackOutputs(await moduleOutputs(module));
  const { urn } = await root.registered();
  if (undefinedKeys.length > 0) {
    const message = `stack outputs without a value are left out: ${undefinedKeys.join(', ')}`;
    await engine.log({ severity: 'warning', message, urn, streamId: 0, ephemeral: false });
  }
  await monitor.registerResourceOutputs({ urn, outputs: properties });
}

async function finish(deployment: Deployment, ports: ProgramPorts, isLoaded: () => boolean): Promise<number> {
  const { failures, pending, late } = deployment;
  const idle = () => ports.idle().then((): Failure | undefined => undefined);
  let failure = await Promise.race([failures.ended, idle()]);
  while (failure === undefined && late.release()) failure = await Promise.race([failures.ended, idle()]);
  // Resources that depend on a quiet failure were notified by rejection, so only others are stuck.
  if (failure === undefined && !failures.any && (!isLoaded() || pending.size > 0)) {
    const waits = pending.list();
    failure = { t: 'loud', error: stuckError(waits, await findWaitCycle(pending)) };
  }
  if (failure?.t === 'loud') await reportFailure(deployment, failure, ports.directory);
  if (failure !== undefined) return PROGRAM_EXIT.failed;
  // Signing off means success.
  const wanted = ports.exitCode?.() ?? PROGRAM_EXIT.ok;
  if (wanted !== PROGRAM_EXIT.ok) return wanted;
  await signOff(deployment);
  return failures.any ? PROGRAM_EXIT.failed : PROGRAM_EXIT.ok;
}

/**
 * Reports to the engine why a program has failed. The message starts with the diagnostic's code, because the protocol
 * has no field for it.
 */
export async function reportFailure(
  { engine }: Deployment,
  { error, unawaited }: Extract<Failure, { t: 'loud' }>,
  directory: string,
): Promise<void> {
  const said =
    unawaited === true ? describeUnawaited(error, directory) : describeProgramError(error, directory);
  const message = `${failureCode(error)}: ${said}`;
  await engine.log({ severity: 'error', message, urn: '', streamId: 0, ephemeral: false });
}

/** Notifies the engine that the program is complete. The engine answers when everything is done. */
// [PRG-6]
export async function signOff({ monitor, failures }: Deployment): Promise<void> {
  try {
    await monitor.signalAndWaitForShutdown();
  } catch (error) {
    if (
      !isStatusError(error, 'UNAVAILABLE') &&
      !isStatusError(error, 'UNIMPLEMENTED') &&
      !isStatusError(error, 'CANCELLED')
    )
      throw error;
    if (isStatusError(error, 'CANCELLED')) failures.noteLoggedError();
  }
}
