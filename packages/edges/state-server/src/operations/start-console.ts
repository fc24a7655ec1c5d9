import type { Backend } from '@cairn/backends';
import { ORGANIZATION } from '@cairn/backends';
import { ConsoleSessions } from '../calls/console/sessions.js';
import { DirectChanges } from '../calls/console/direct-changes.js';
import type { ContinueChange } from '../calls/service-ports.js';
import type { StackKeys } from '../crypto/stack-keys.js';
import { Refusal } from '../domain/refusal.js';
import type { ConsoleFiles } from '../routes/console-files.js';
import { privateStore } from '../store/private-store.js';
import type { ServiceStore } from '../store/service-store.js';
import type { ServiceLog } from './service-log.js';
import { startService } from './start-service.js';

/** Console of one person on this machine. */
interface OwnConsole {
  /** Address that opens it once, within 5 minutes. */
  readonly link: string;
  stop(): Promise<void>;
}

/** Parts of a console: its bucket, its files and its user. */
interface ConsoleParts {
  /** Bucket as the service reads it. */
  readonly store: ServiceStore;
  /** The same bucket as tools work on it. */
  readonly backend: Backend;
  readonly files: ConsoleFiles;
  readonly user: string;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly version: string;
  readonly continueChange: ContinueChange;
}

/** Starts the console of one person over a bucket, on an address of this machine. */
export async function startConsole(parts: ConsoleParts, log: ServiceLog): Promise<OwnConsole> {
  const { backend, files, user, ...ports } = parts;
  const store = privateStore(parts.store);
  // The token is known to this process alone, and ends with it.
  const token = { hash: 'console', user, name: 'console', role: 'admin', createdAt: 0 } as const;
  await store.putToken(token);
  const monotonic = (): number => performance.now();
  const service = await startService(
    { ...ports, store, keys: NO_KEYS, monotonic },
    { host: '127.0.0.1', port: 0 },
    log,
    { files, changes: new DirectChanges(backend), ownHostOnly: true },
  );
  const { path } = await new ConsoleSessions({ store, now: ports.now }).link({
    ...token,
    organization: ORGANIZATION,
  });
  return { link: service.url + path, stop: () => service.stop() };
}

/** The console has no master key and makes none, so that the bucket stays as it is. */
const NO_KEYS: StackKeys = {
  create: () => Promise.reject(noKey()),
  open: () => Promise.reject(noKey()),
  rewrap: () => Promise.reject(noKey()),
};

function noKey(): Refusal {
  return new Refusal(
    409,
    'A state service keeps the key of this secret. Look at it in the console of the service.',
  );
}
