import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  hookPoster,
  makeToken,
  masterKeyOf,
  openBucketStore,
  serviceLog,
  stackKeys,
  startService,
} from '@cairn/state-server';
import type { Sandbox } from './cairn.js';

/** State service in this process, over a folder of the box's own. */
export interface ServiceHere {
  readonly url: string;
  /** Makes a token for a user with this role. */
  token(role: 'reader' | 'writer' | 'admin', user?: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a state service in this process. It sends webhooks to this machine as well. */
export async function startServiceHere(box: Sandbox): Promise<ServiceHere> {
  const now = (): Date => new Date();
  const monotonic = (): number => performance.now();
  const ports = {
    ...{ env: {}, now, newId: randomUUID, version: 'v0.1.0', argv: ['serve'] },
    process: { pid: process.pid, username: 'ann', hostname: 'build-1', isAlive: () => true },
  };
  const folder = pathToFileURL(path.join(box.home, 'store')).href;
  const store = await openBucketStore(folder, ports, { createDirectory: true }, monotonic);
  const keys = stackKeys(masterKeyOf('07'.repeat(32), 'the test', {}));
  const service = await startService(
    { store, keys, version: 'v0.1.0', newId: randomUUID, now, monotonic },
    { host: '127.0.0.1', port: 0 },
    serviceLog({ write: () => undefined }),
    { post: hookPoster(['127.0.0.0/8'], 'v0.1.0') },
  );
  return {
    url: service.url,
    token: (role, user = 'alice') => makeToken({ store, now }, { user, name: 'test', role }),
    stop: () => service.stop(),
  };
}
