import { ROUTES, errorBody, pathBelow } from '@cairn/http-api';
import type { Route, RouteName } from '@cairn/http-api';
import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { answerFault, answerRoute, observedCall } from './answer-route.js';
import type { RoutePorts } from './answer-route.js';
import { consoleFile } from './console-files.js';
import type { ConsoleFiles } from './console-files.js';
import { routedRequest } from './route-request.js';
import { jsonAnswer } from './written-answer.js';
import type { WrittenAnswer } from './written-answer.js';

/** Facilities of the routes, and of what is answered beside them. */
interface MountPorts extends RoutePorts {
  /** Files of the console, if it is served. */
  readonly files?: ConsoleFiles | undefined;
  /** Path below which the service is, or an empty text. Requests are answered with it and without it. */
  readonly base: string;
}

/** Mounts every row of the table. Everything else is a JSON 404. */
export function mountRoutes(ports: MountPorts): Hono {
  const { base } = ports;
  // The router has paths decoded.
  const below = base === '' ? '' : getPath(new Request(new URL(base, 'http://localhost')));
  const app = new Hono({
    strict: true,
    ...(base !== '' && { getPath: (request: Request) => pathBelow(below, getPath(request)) }),
  });
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][])
    app.on(route.method, patternOf(route.path), async (context) =>
      responseOf(await answerRoute(routedRequest(context), name, route, ports)),
    );
  app.notFound(async (context) =>
    responseOf(
      await observedCall(routedRequest(context), 'none', ports, async ({ id }) => {
        const file = await consoleFile(context, ports.files, base);
        const answer = file ?? jsonAnswer(errorBody(404, 'Route not found.', id), 404);
        return { answer, user: undefined, fault: undefined };
      }),
    ),
  );
  app.onError(async (fault, context) => responseOf(await answerFault(routedRequest(context), fault, ports)));
  return app;
}

/** Returns a path of the table in the grammar of the router, which anchors a group and no bare alternatives. */
function patternOf(path: string): string {
  return path.replace(/\{(\w+)(?::([\w|]+))?\}/g, (_whole, name: string, words?: string) =>
    words === undefined ? `:${name}` : `:${name}{(?:${words})}`,
  );
}

function responseOf({ status, headers, body }: WrittenAnswer): Response {
  return new Response(body, { status, headers });
}
