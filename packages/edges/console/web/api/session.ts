import { signal } from '@preact/signals';
import type { ConsoleSessionAnswer, ConsoleStartAnswer } from '@cairn/http-api';
import { ApiFailure, call } from './client.js';

/** Session of this browser: undefined if there is none, and `unknown` until the service has said. */
export const session = signal<ConsoleSessionAnswer | 'unknown' | undefined>('unknown');

/** Ways to log in, once there is no session. */
export const start = signal<ConsoleStartAnswer | undefined>(undefined);

/** Failure of the last attempt to log in. */
export const loginFailure = signal<ApiFailure | undefined>(undefined);

/** Finds out about the session, after using the link of the address, if it has one. */
export async function openSession(): Promise<void> {
  try {
    const link = location.pathname === '/enter' ? location.hash.slice(1) : '';
    if (link !== '') {
      // The secret leaves the address before anything else can read it.
      history.replaceState(null, '', `/enter${location.search}`);
      await call('POST', '/console/sessions', { link });
      location.replace(stackIn(new URLSearchParams(location.search).get('to')));
      return;
    }
    session.value = await call<ConsoleSessionAnswer>('GET', '/console/session');
  } catch (thrown) {
    if (!(thrown instanceof ApiFailure)) throw thrown;
    if (thrown.status !== 401) loginFailure.value = thrown;
    session.value = undefined;
    start.value = await call<ConsoleStartAnswer>('GET', '/console/start').catch(() => undefined);
  }
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
  start.value = await call<ConsoleStartAnswer>('GET', '/console/start').catch(() => undefined);
  session.value = undefined;
}

/** Ends the session. */
export async function leave(): Promise<void> {
  await call('DELETE', '/console/session').catch(() => undefined);
  location.assign('/');
}

/** Returns the address of the stack that a link names, or that of the list. */
function stackIn(name: string | null): string {
  const parts = (name ?? '').split('/');
  if (parts.length === 2) parts.unshift('organization');
  return parts.length === 3 && parts.every((part) => part !== '')
    ? `/s/${parts.map(encodeURIComponent).join('/')}`
    : '/';
}
