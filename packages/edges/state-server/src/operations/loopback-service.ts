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
  /** Returns a token of an administrator of an organization, until the service stops. */
  tokenOf(organization: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the service on an address of this machine, for work of this process on its store. */
export async function startLoopbackService(
  ports: Parameters<typeof startService>[0],
  log: ServiceLog,
): Promise<LoopbackService> {
  const { store, now } = ports;
  const tokens = new Map<string, string>();
  const tokenOf = async (organization: string): Promise<string> => {
    const known = tokens.get(organization);
    if (known !== undefined) return known;
    const token = randomToken('cairn');
    const createdAt = seconds(now());
    await store.putToken({
      ...{ hash: tokenHash(token), createdAt, expiresAt: createdAt + TOKEN_SECONDS, role: 'admin' },
      ...{ kind: 'organization', organization, user: 'serve-migrate', name: 'serve-migrate' },
    });
    tokens.set(organization, token);
    return token;
  };
  // A store without tokens would wait for its first administrator.
  await tokenOf(ORGANIZATION);
  const service = await startService(ports, { host: '127.0.0.1', port: 0 }, log);
  return {
    url: service.url,
    tokenOf,
    stop: async () => {
      for (const token of tokens.values()) await store.removeToken(tokenHash(token));
      await service.stop();
    },
  };
}
