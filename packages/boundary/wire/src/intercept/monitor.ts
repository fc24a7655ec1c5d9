import type { Monitor } from '../contracts/monitor.js';
import { interceptCalls, overrideCalls } from './calls.js';
import type { Interceptor, Overrides } from './calls.js';

/** Returns a monitor whose calls pass through an interceptor. */
export function interceptMonitor(
  monitor: Monitor,
  interceptor: Interceptor<Monitor, keyof Monitor>,
): Monitor {
  return interceptCalls(monitor, MONITOR_CALLS, interceptor);
}

/** Returns a monitor with some calls overridden. */
export function overrideMonitor(monitor: Monitor, overrides: Overrides<Monitor, keyof Monitor>): Monitor {
  return overrideCalls(monitor, MONITOR_CALLS, overrides);
}

const MONITOR_CALLS = Object.keys({
  supportsFeature: true,
  getDeploymentInfo: true,
  registerResource: true,
  readResource: true,
  existsResource: true,
  registerResourceOutputs: true,
  invoke: true,
  call: true,
  registerPackage: true,
  registerStackTransform: true,
  registerStackInvokeTransform: true,
  registerResourceHook: true,
  registerErrorHook: true,
  signalAndWaitForShutdown: true,
} satisfies Record<keyof Monitor, true>) as readonly (keyof Monitor)[];
