import { signal } from '@preact/signals';
import type { ConsoleSessionAnswer, ConsoleStartAnswer } from '@cairn/http-api';
import { base, ownPath } from './base.js';
import { ApiFailure, call } from './client.js';
import { go } from './router.js';

/** Session of this browser: undefined if there is none, and `unknown` until the service has said. */
export const session = signal<ConsoleSessionAnswer | 'unknown' | undefined>('unknown');

/** Ways to log in, once there is no session. */
export const start = signal<ConsoleStartAnswer | undefined>(undefined);

/** Failure of the last attempt to log in. */
export const loginFailure = signal<ApiFailure | undefined>(undefined);

/** Finds out about the session, after using the link of the address, if it has one. */
export async function openSession(): Promise<void> {
  try {
    const link = ownPath(location.pathname) === '/enter' ? location.hash.slice(1) : '';
    if (link !== '') {
      // The secret leaves the address before anything else can read it.
      history.replaceState(null, '', `${base}/enter${location.search}`);
      await call('POST', '/console/sessions', { link });
      location.replace(stackIn(new URLSearchParams(location.search).get('to')));
      return;
    }
    session.value = await call<ConsoleSessionAnswer>('GET', '/console/session');
    goToWanted();
  } catch (thrown) {
    if (!(thrown instanceof ApiFailure)) throw thrown;
    if (thrown.status !== 401) loginFailure.value = thrown;
    session.value = undefined;
    await readStart();
  }
}

/** Finds out about the ways to log in. */
export async function readStart(): Promise<void> {
  start.value = await call<ConsoleStartAnswer>('GET', '/console/start').catch(() => undefined);
}

/** Place in the storage of a tab for the page that was wanted before a sign-in. */
const WANTED = 'cairn-wanted';

/** Notes the page that a sign-in leads back to. */
export function noteWanted(): void {
  sessionStorage.setItem(WANTED, location.pathname + location.search);
}

/** Goes to the page that was wanted before a sign-in, which leads to the list of stacks. */
function goToWanted(): void {
  const wanted = sessionStorage.getItem(WANTED);
  sessionStorage.removeItem(WANTED);
  if (wanted !== null && ownPath(location.pathname) === '/') go(wanted, { replace: true });
}

/** Shows the ways to log in if the session has ended. */
export async function checkSession(): Promise<void> {
  await call('GET', '/console/session').catch(ended);
}

/** Ends the view of a session that the service does not know any more. Other failures change nothing. */
async function ended(thrown: unknown): Promise<void> {
  if (!(thrown instanceof ApiFailure)) throw thrown;
  if (thrown.status !== 401) return;
  loginFailure.value = thrown;
  await readStart();
  session.value = undefined;
}

/** Ends the session. */
export async function leave(): Promise<void> {
  await call('DELETE', '/console/session').catch(() => undefined);
  location.assign(`${base}/`);
}

/** Returns the address of the stack that a link names, or that of the list. */
function stackIn(name: string | null): string {
  const parts = (name ?? '').split('/');
  if (parts.length === 2) parts.unshift('organization');
  return parts.length === 3 && parts.every((part) => part !== '')
    ? `${base}/s/${parts.map(encodeURIComponent).join('/')}`
    : `${base}/`;
}
