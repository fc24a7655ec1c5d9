import { WaitingCommand, basePath } from '@cairn/http-api';
import * as v from 'valibot';
import { issueToken } from '../calls/tokens.js';
import { seconds } from '../calls/service-ports.js';
import type { ServicePorts } from '../calls/service-ports.js';
import type { OrganizationPorts } from '../calls/organizations.js';
import { ConsoleSessions } from '../calls/console/sessions.js';
import { SignIn } from '../calls/sign-in.js';
import type { WaitingClient } from '../calls/sign-in.js';
import type { SignInSettings } from '../calls/sign-in-settings.js';
import { signedInLogin } from '../calls/signed-in-user.js';
import { Refusal } from '../domain/refusal.js';
import type { Call, SomeHandlers } from './call.js';
import { sessionCookie } from './console-cookie.js';

const COOKIE = 'cairn-sign-in';
const DAY = 86_400;

/** Headers of answers that belong to one browser. */
const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

const HTML = 'text/html; charset=utf-8';

/** Returns a page that leads to the console of a service. */
function continuePage({ url }: SignInSettings): string {
  const to = `${basePath(url)}/`;
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${to}"><title>Cairn</title><a href="${to}">Continue</a>`;
}

type SignInPorts = OrganizationPorts & Pick<ServicePorts, 'passwords' | 'signIn' | 'url'>;

/** Returns the handlers of the routes for the sign-in of people in a browser. */
export function signInHandlers(ports: SignInPorts) {
  const signIn = ports.signIn && new SignIn(ports.signIn);
  const sessions = new ConsoleSessions(ports);
  const url = ports.url ?? ports.signIn?.url;
  const base = url === undefined ? '' : basePath(url);
  const configured = (): SignIn => {
    if (signIn === undefined) throw new Refusal(404, 'The service has no sign-in.');
    return signIn;
  };
  const begin = async (client: WaitingClient | 'console' | undefined) => {
    const { settings } = configured();
    const { address, cookie } = await configured().begin(client, seconds(ports.now()));
    return { redirect: address, headers: { ...PRIVATE, 'set-cookie': cookieText(settings, cookie, 600) } };
  };
  return {
    signIn: () => begin(undefined),
    consoleSignIn: () => begin('console'),
    signInOfClient: async (call) => {
      const client = clientIn(call);
      // The page asks for a password, and has a link to the provider.
      if (ports.passwords !== undefined && call.query.get('at') !== 'provider')
        return { redirect: `${base}/enter/command?${call.query.toString()}`, headers: PRIVATE };
      return begin(client);
    },
    signInCallback: async (call) => {
      const { settings } = configured();
      const { user, client, isConsole } = await configured().end(
        cookieIn(call),
        call.query,
        seconds(ports.now()),
      );
      call.note({ user: user.login, organization: settings.organization });
      const login = await signedInLogin(ports, user, settings);
      call.note({ user: login });
      if (isConsole) {
        const { secret, life } = await sessions.signedIn(login);
        const cookie = sessionCookie(secret, life, settings.url.startsWith('https:'));
        // The page is asked for once more from this site itself: a strict cookie does not follow a foreign link.
        const headers = { ...PRIVATE, 'content-type': HTML, 'set-cookie': cookie };
        return { text: continuePage(settings), headers };
      }
      const name = client?.description || 'sign-in';
      const expiresAt = seconds(ports.now()) + settings.days * DAY;
      const { text } = await issueToken(ports, { user: login, name, role: 'admin', by: login, expiresAt });
      const headers = { ...PRIVATE, 'set-cookie': cookieText(settings, '', 0) };
      if (client === undefined)
        return {
          text: `You are signed in as ${login}. Your access token, which is shown only once:\n\n${text}\n`,
          headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
        };
      return { redirect: addressOfClient(client, text), headers };
    },
    signedIn: async () => ({
      text: 'You are signed in. You can close this page.\n',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    }),
  } satisfies SomeHandlers;
}

/** Reads the client from its query. */
function clientIn({ query }: Call): WaitingClient {
  const parsed = v.safeParse(WaitingCommand, {
    port: Number(query.get('cliSessionPort')),
    nonce: query.get('cliSessionNonce') ?? '',
    description: query.get('cliSessionDescription') ?? '',
  });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const name = v.getDotPath(issue) === 'port' ? 'cliSessionPort' : 'cliSessionNonce';
  throw new Refusal(400, `${name}: ${issue.message}`);
}

/** Returns the address at which a client waits. It is on the browser's machine, so that the token goes nowhere else. */
export function addressOfClient({ port, nonce }: WaitingClient, token: string): string {
  const address = new URL(`http://127.0.0.1:${port}/`);
  address.search = new URLSearchParams({ accessToken: token, nonce }).toString();
  return address.href;
}

function cookieText({ url }: SignInSettings, value: string, life: number): string {
  const secure = url.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${life}${secure}`;
}

function cookieIn({ cookie = '' }: Call): string | undefined {
  return cookie
    .split(';')
    .map((pair) => pair.trim().split('='))
    .find(([name]) => name === COOKIE)?.[1];
}
