import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { backendForStore } from '../src/index.js';
import type { Backend, BackendPorts } from '../src/index.js';
import { VirtualTimer } from './virtual-time.js';
import { newStack, portsOf } from './world.js';

/** Host of its own with a clock of its own: everything on it pauses while its time does not pass. */
export interface Host {
  readonly backend: Backend;
  readonly timer: VirtualTimer;
  readonly said: string[];
}

export async function host(store: BlobStore, name: string, more: Partial<BackendPorts> = {}): Promise<Host> {
  const timer = new VirtualTimer();
  const said: string[] = [];
  const ports = portsOf({ pid: 40, dead: new Set(), hostname: name });
  const waiting = (text: string): void => void said.push(text);
  return { backend: await backendForStore(store, { ...ports, timer, waiting, ...more }), timer, said };
}

/** Lets the time of hosts pass side by side until the work has ended. */
export async function ends<T>(work: Promise<T>, hosts: readonly Host[], most = 200_000): Promise<T> {
  let over = false;
  const done = work.finally(() => (over = true));
  done.catch(() => undefined);
  for (let passed = 0; !over && passed < most; passed += 1000)
    for (const { timer } of hosts) await timer.pass(1000);
  return done;
}

export async function stack(): Promise<BlobStore> {
  const store = memoryBlobStore();
  await newStack(store);
  return store;
}
