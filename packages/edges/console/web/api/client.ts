import { CONSOLE_HEADER } from '@cairn/http-api/console';
import { base } from './base.js';
import { hearTime } from './clock.js';

/** Answer of the service that is an error, or no answer. */
export class ApiFailure extends Error {
  /** Status of HTTP, or 0 if the service did not answer. */
  readonly status: number;
  readonly requestId: string | undefined;
  /** True for a call that changes nothing: the page may make it again by itself. */
  readonly isRead: boolean;

  constructor(method: string, status: number, text: string, requestId?: string) {
    super(text);
    this.isRead = method === 'GET';
    this.status = status;
    this.requestId = requestId;
  }
}

/** Calls the service at a path without its base. Fails with {@link ApiFailure}. */
export async function call<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const headers = { [CONSOLE_HEADER]: '1', ...(body && { 'content-type': 'application/json' }) };
  const init = { method, headers, credentials: 'same-origin' as const, cache: 'no-store' as const };
  const response = await fetch(base + path, { ...init, ...(body && { body: JSON.stringify(body) }) }).catch(
    () => undefined,
  );
  if (response === undefined) throw new ApiFailure(method, 0, 'The service does not answer.');
  hearTime(response.headers.get('date'));
  const id = response.headers.get('x-request-id') ?? undefined;
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as T;
  const { message } = (answer ?? {}) as { readonly message?: unknown };
  const text = typeof message === 'string' ? message : response.statusText;
  throw new ApiFailure(method, response.status, text, id);
}

/** Stack as addresses name it. */
export interface StackName {
  readonly org: string;
  readonly project: string;
  readonly stack: string;
}

/** Returns the name of a stack as one path of three segments. */
export function namePath({ org, project, stack }: StackName): string {
  return [org, project, stack].map(encodeURIComponent).join('/');
}

/** Returns the address of the console's calls about a stack. */
export function stackCall(name: StackName, rest = ''): string {
  return `/console/stacks/${namePath(name)}${rest}`;
}

/** Returns the address of the protocol's calls about a stack. */
export function apiCall(name: StackName, rest = ''): string {
  return `/api/stacks/${namePath(name)}${rest}`;
}
