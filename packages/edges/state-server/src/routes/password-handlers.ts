import { ChangePasswordRequest, PasswordSignInRequest } from '@cairn/http-api';
import type { PasswordSignInAnswer } from '@cairn/http-api';
import { ConsoleSessions } from '../calls/console/sessions.js';
import { Passwords } from '../calls/passwords.js';
import { seconds } from '../calls/service-ports.js';
import type { ServicePorts } from '../calls/service-ports.js';
import { issueToken } from '../calls/tokens.js';
import { Refusal } from '../domain/refusal.js';
import { parseBody } from './call.js';
import type { Call, RouteReply, SomeHandlers } from './call.js';
import { isSecurePage, sessionCookie } from './console-cookie.js';
import { addressOfClient } from './sign-in-handlers.js';

const PRIVATE = { 'cache-control': 'no-store' };

/** Life of the tokens of commands, in seconds. */
const TOKEN_LIFE = 30 * 86_400;

/** Returns the handlers of the routes for users with passwords. Both take calls of the console only. */
export function passwordHandlers(ports: ServicePorts) {
  const { passwords: digests, now } = ports;
  const passwords = digests && new Passwords({ ...ports, digests });
  const sessions = new ConsoleSessions(ports);
  const begun = (call: Call): { readonly passwords: Passwords; readonly isSecure: boolean } => {
    if (passwords === undefined) throw new Refusal(404, 'The service has no sign-in with passwords.');
    if (!call.isConsole) throw new Refusal(400, 'The call does not come from the console.');
    return { passwords, isSecure: isSecurePage(call.page) };
  };
  const opened = async (user: string, key: string, isSecure: boolean): Promise<RouteReply> => {
    const { secret, life } = await sessions.signedIn(user, key);
    return { json: {}, headers: { ...PRIVATE, 'set-cookie': sessionCookie(secret, life, isSecure) } };
  };
  return {
    consolePasswordSignIn: async (call) => {
      const { passwords, isSecure } = begun(call);
      const { user, password, command } = parseBody(PasswordSignInRequest, call);
      const { source = '' } = call.origin;
      const { id, key } = await passwords.prove({ user, password, source }, (login) =>
        call.note({ user: login }),
      );
      if (command === undefined) return opened(id, key, isSecure);
      const name = command.description || 'sign-in';
      const token = { user: id, name, role: 'admin', by: id, password: key } as const;
      const { text } = await issueToken(ports, { ...token, expiresAt: seconds(now()) + TOKEN_LIFE });
      call.note({ tokenName: name });
      return {
        json: { redirect: addressOfClient(command, text) } satisfies PasswordSignInAnswer,
        headers: PRIVATE,
      };
    },
    consoleChangePassword: async (call) => {
      const { passwords, isSecure } = begun(call);
      const { current, next } = parseBody(ChangePasswordRequest, call);
      const { kind = 'personal', user } = call.caller.token;
      if (kind !== 'personal') throw new Refusal(403, 'The token belongs to no user.');
      const { source = '' } = call.origin;
      await passwords.prove({ user, password: current, source }, () => undefined);
      const { key } = await passwords.set(user, next);
      return opened(user, key, isSecure);
    },
  } satisfies SomeHandlers;
}
