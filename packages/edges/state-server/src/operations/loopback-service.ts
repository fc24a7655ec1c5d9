import { ORGANIZATION } from '@cairn/backends';
import { randomToken, tokenHash } from '../crypto/tokens.js';
import { seconds } from '../calls/service-ports.js';
import type { ServiceLog } from './service-log.js';
import { startService } from './start-service.js';

/** Time after which the token is refused, in seconds, if nothing removes it. */
const TOKEN_SECONDS = 7 * 86_400;

/** Service that this process alone uses. */
interface LoopbackService {
  readonly url: string;
  /** Token of an administrator, until the service stops. */
  readonly token: string;
  stop(): Promise<void>;
}

/** Starts the service on an address of this machine, for work of this process on its store. */
export async function startLoopbackService(
  ports: Parameters<typeof startService>[0],
  log: ServiceLog,
): Promise<LoopbackService> {
  const { store, now } = ports;
  const token = randomToken('cairn');
  const hash = tokenHash(token);
  const createdAt = seconds(now());
  await store.putToken({
    ...{ hash, createdAt, expiresAt: createdAt + TOKEN_SECONDS, role: 'admin' },
    ...{ kind: 'organization', organization: ORGANIZATION, user: 'serve-migrate', name: 'serve-migrate' },
  });
  const service = await startService(ports, { host: '127.0.0.1', port: 0 }, log);
  return {
    url: service.url,
    token,
    stop: async () => {
      await store.removeToken(hash);
      await service.stop();
    },
  };
}
