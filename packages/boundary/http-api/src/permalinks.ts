import { consolePath } from './console-address.js';
import type { ConsolePage } from './console-address.js';
import { ROUTES } from './routes.js';

/** First parts of paths that are no organizations: those of the routes, and of the console's own addresses. */
const TAKEN: ReadonlySet<string> = new Set([
  ...Object.values(ROUTES).map(({ path }) => path.split('/')[1] ?? ''),
  ...['s', 'o', 'enter'],
]);

const PERMALINK =
  /^\/([^/]+)\/([^/]+)\/([^/]+)(?:\/(updates|previews|deployments|resources)(?:\/([\w-]+))?)?\/?$/;

/** Page of a user or an organization, and the one for the tokens of a user, whose pages here are those of stacks. */
const ACCOUNT = /^\/(?:user\/settings\/tokens|([\w-]+|[^/]+@[^/]+))\/?$/;

/**
 * Returns the path of the page in the console that an address names which Pulumi's command prints, such as
 * `/acme/shop/prod/updates/7`, or undefined for every other path. Paths have no base.
 */
export function pageOfPermalink(path: string): string | undefined {
  const account = ACCOUNT.exec(path);
  if (account !== null && !TAKEN.has(account[1] ?? '')) return '/';
  const [, organization = '', project = '', stack = '', kind, which] = PERMALINK.exec(path) ?? [];
  if (stack === '' || TAKEN.has(organization)) return undefined;
  const name = { organization, project, stack };
  try {
    const decoded = Object.entries(name).map(([key, text]) => [key, decodeURIComponent(text)]);
    return consolePath(Object.fromEntries(decoded) as typeof name, pageOf(kind, which));
  } catch {
    return undefined;
  }
}

function pageOf(kind: string | undefined, which: string | undefined): ConsolePage {
  if (kind === 'resources') return kind;
  if (kind === 'previews') return which === undefined ? kind : `previews/${which}`;
  if (which === undefined || !/^[1-9]\d{0,8}$/.test(which)) return '';
  return kind === 'updates' ? `updates/${Number(which)}` : `runs/${Number(which)}`;
}
