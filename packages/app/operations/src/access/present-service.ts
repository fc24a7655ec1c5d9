import { isServiceUrl } from '@cairn/workspace';
import type { Ports } from '../ports.js';

const opened = new WeakMap<Ports, string>();

/** Notes the backend that was opened last. */
export function noteBackend(ports: Ports, url: string): void {
  if (isServiceUrl(url)) opened.set(ports, url);
  else opened.delete(ports);
}

/** Returns the address of the state service whose stacks are worked on, if it is one. */
export function presentService(ports: Ports): string | undefined {
  return opened.get(ports);
}
