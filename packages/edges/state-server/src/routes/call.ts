import type { RouteName } from '@cairn/http-api';
import * as v from 'valibot';
import { Refusal } from '../domain/refusal.js';
import type { ApiCaller } from '../calls/caller.js';
import type { PathNames } from '../calls/stack-names.js';
import type { AuditNote } from './audit-notes.js';
import type { RequestOrigin } from './request-origin.js';

/** Call of a route, after authorization. */
export interface Call {
  readonly names: PathNames;
  readonly query: URLSearchParams;
  readonly origin: RequestOrigin;
  /** Bytes of the body, unpacked. */
  readonly body: Buffer;
  /** Caller of a route that asks for one. */
  readonly caller: ApiCaller;
  /** Token of an update, on a route that asks for one. */
  readonly updateToken: string;
  /** Mark of the state that the caller has read, if it only wants to change that one. */
  readonly ifMatch: string | undefined;
  /** Digest of the body that the caller sent with it, in base64. */
  readonly contentMd5: string | undefined;
  /** Cookies of the caller's browser. */
  readonly cookie: string | undefined;
  /** Address of the page that sent the request, as its browser says. */
  readonly page: string | undefined;
  /** Id of the last event that a stream has sent to the caller. */
  readonly lastEventId: string | undefined;
  /** Program that asks for a deployment, as it says. */
  readonly initiator: string;
  /** True if the request has the header of the console. */
  readonly isConsole: boolean;
  /** Adds facts to the record of the call in the audit log. */
  readonly note: (note: AuditNote) => void;
}

/** Answer of a handler: a value to write as JSON, text or a stream with headers, or an address. */
export type RouteReply =
  | {
      readonly json: object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly stream: ReadableStream<Uint8Array>; readonly headers: Readonly<Record<string, string>> }
  | { readonly redirect: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly text: string | Uint8Array; readonly headers?: Readonly<Record<string, string>> };

/** Refusal of a call that a browser made. Its answer is a page. */
export class RefusedPage extends Error {
  readonly status: number;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, html: string, headers: Readonly<Record<string, string>>) {
    super('refused');
    this.status = status;
    this.html = html;
    this.headers = headers;
  }
}

/** Handler of a route: parses, and calls. */
type Handler = (call: Call) => Promise<RouteReply>;

/** Handlers of some routes. The service has one for each route of the table. */
export type SomeHandlers = Readonly<Partial<Record<RouteName, Handler>>>;

/** One handler for each route. */
export type AllHandlers = Readonly<Record<RouteName, Handler>>;

/** Answer without content; clients that expect none accept an empty object. */
export const NOTHING: RouteReply = { json: {} };

/** Parses the body of a call. Refuses one that is not JSON or has another form. An empty body is an empty object. */
export function parseBody<S extends v.GenericSchema>(schema: S, { body }: Call): v.InferOutput<S> {
  let json: unknown;
  try {
    json = body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  } catch {
    // The parser quotes the body, which may have secrets.
    throw new Refusal(400, 'The body is not JSON.');
  }
  const parsed = v.safeParse(schema, json);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new Refusal(400, `${v.getDotPath(issue) ?? 'The body'}: ${issue.message}`);
}

/** Returns a whole number of a query, or undefined if it has none. Refuses other texts. */
export function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Refusal(400, `${name} is not a whole number above 0.`);
}
