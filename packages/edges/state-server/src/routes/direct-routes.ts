import type { IncomingMessage, ServerResponse } from 'node:http';
import { ROUTES } from '@cairn/http-api';
import type { RouteName } from '@cairn/http-api';
import type { PathNames } from '../calls/stack-names.js';
import { answerFault, answerRoute, isLarge } from './answer-route.js';
import type { RoutePorts } from './answer-route.js';
import type { RouteRequest } from './route-request.js';

/** Routes that an update calls all the time. */
const HOT = ['journalEntries', 'addEvents'] as const satisfies readonly RouteName[];

/** Hosts that the router takes as well. */
const HOST = /^[\w.-]+(?::\d{1,5})?$/;

/** Answers a request. Returns false, and does nothing, for one that is not of its routes. */
export type DirectAnswers = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Returns what answers the routes that an update calls all the time, as the router does, without the router and the
 * platform's classes for requests and answers: these cost more than the rest of such a call. It leaves every request to
 * the router that is not plain: another path than one of letters, digits and `._-`, a query, or a large body.
 */
export function directRoutes(ports: RoutePorts): DirectAnswers {
  const routes = HOT.map((name) => ({ name, route: ROUTES[name], pattern: patternOf(ROUTES[name].path) }));
  return (incoming, response) => {
    const { url = '', method } = incoming;
    for (const { name, route, pattern } of routes) {
      if (method !== route.method) continue;
      const names = pattern.exec(url)?.groups as PathNames | undefined;
      if (names === undefined) continue;
      const request = directRequest(incoming, names);
      if (isLarge(request) || !HOST.test(request.header('host') ?? '')) return false;
      void answerRoute(request, name, route, ports)
        .catch((fault: unknown) => answerFault(request, fault, ports))
        .then(({ status, headers, body }) => {
          const text = body as string;
          response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text);
          // After a refusal, the connection stays.
          if (!incoming.readableEnded) incoming.resume();
        });
      return true;
    }
    return false;
  };
}

function directRequest(incoming: IncomingMessage, names: PathNames): RouteRequest {
  const { method = '', url = '', headers } = incoming;
  return {
    ...{ method, names, incoming, body: undefined },
    url: `http://${headers.host ?? ''}${url}`,
    header: (name) => headers[name] as string | undefined,
    headers: () => headers as Readonly<Record<string, string>>,
  };
}

/** Returns the pattern of a path of the table. */
function patternOf(path: string): RegExp {
  const source = path.replace(
    /\{(\w+)(?::([\w|]+))?\}/g,
    (_whole, name: string, words = '(?!\\.{1,2}/)[\\w.-]+') => `(?<${name}>${words})`,
  );
  return new RegExp(`^${source}$`);
}
