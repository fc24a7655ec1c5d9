import type { Browser, Page } from 'playwright-core';
import { ROUTES } from '@cairn/http-api';
import type { RouteName } from '@cairn/http-api';
import { browserTests, openPage, settled, startBrowser } from '../support/browser.js';
import type { WatchedPage } from '../support/browser.js';
import { CONSOLE_PAGES, filledConsole } from '../support/console-pages.js';
import type { ConsolePageName } from '../support/console-pages.js';
import { bucketOf } from '../support/console.js';
import type { ConsoleBox } from '../support/console.js';
import { newToken } from '../support/served.js';

const ROLES = ['reader', 'writer', 'admin'] as const;
type Role = (typeof ROLES)[number];

/** Contents of a page. */
interface PageRow {
  /**
   * Buttons and fields of what can be changed, by role and name, each with the route that the change calls. A caller
   * has those whose route lets them in.
   */
  readonly controls: Readonly<Record<string, RouteName>>;
  /** Calls that the page makes, each with the lowest role that makes it. */
  readonly calls: Readonly<Partial<Record<RouteName, Role>>>;
}

/** Calls of every page of a stack. */
const OF_STACK = { consoleSession: 'reader', consoleStack: 'reader', consoleStream: 'reader' } as const;

/** Pages in a state that the filled stacks do not have. The answers of the service are altered for them. */
const ALTERED_PAGES = [
  ['approval', '/s/organization/shop/gated/changes/1?show=wait'],
  ['running change', '/s/organization/shop/shown/changes/2'],
  ['doubt', '/s/organization/shop/stuck/doubts'],
] as const;
type PageName = ConsolePageName | (typeof ALTERED_PAGES)[number][0];

/** Every page. A page without a row does not compile; a control or a call without one fails the test. */
const ROWS = {
  stacks: {
    controls: {},
    calls: { consoleSession: 'reader', consoleStacks: 'reader', consoleStream: 'reader' },
  },
  stack: {
    controls: {
      'button Reveal secret password': 'consoleReveal',
      'button Remove tag pulumi:project': 'setTags',
      'button Remove tag pulumi:runtime': 'setTags',
      'button Remove tag team': 'setTags',
      'button Set tag': 'setTags',
      'textbox Name of the tag': 'setTags',
      'textbox Value of the tag': 'setTags',
    },
    calls: { ...OF_STACK, consoleAccess: 'admin' },
  },
  resources: { controls: {}, calls: { ...OF_STACK, consoleResources: 'reader', consoleResource: 'reader' } },
  graph: { controls: {}, calls: { ...OF_STACK, consoleResources: 'reader', consoleChange: 'reader' } },
  changes: { controls: {}, calls: OF_STACK },
  change: {
    controls: {},
    calls: { ...OF_STACK, consoleChange: 'reader' },
  },
  plans: { controls: {}, calls: { ...OF_STACK, consolePreviews: 'reader' } },
  runs: {
    controls: { 'button Ask an agent': 'createDeployment', 'combobox Operation': 'createDeployment' },
    calls: { ...OF_STACK, listDeployments: 'reader' },
  },
  run: {
    controls: {
      'button Approve': 'approveDeployment',
      'button Deny': 'denyDeployment',
      'button Cancel the run': 'cancelDeployment',
    },
    calls: { ...OF_STACK, getDeploymentVersion: 'reader', deploymentLogs: 'reader' },
  },
  drift: {
    controls: {
      'button Ask an agent to accept it': 'createDeployment',
      'button Ask an agent to put it back': 'createDeployment',
    },
    calls: { ...OF_STACK, consolePreviews: 'reader' },
  },
  history: {
    controls: {},
    calls: { ...OF_STACK, consoleCompare: 'reader', listUpdates: 'reader', consolePreviews: 'reader' },
  },
  doubts: { controls: {}, calls: OF_STACK },
  settings: {
    controls: {
      'button Change setting': 'changeDeploymentSettings',
      'textbox Value of the setting': 'changeDeploymentSettings',
      'combobox Setting': 'changeDeploymentSettings',
      'checkbox Secret': 'changeDeploymentSettings',
      'button Make a schedule': 'createDriftSchedule',
      'textbox When: 0 3 * * *, or a time like 2030-01-31T18:00:00Z': 'createDriftSchedule',
      'textbox Zone: Europe/Berlin, or empty for UTC': 'createDriftSchedule',
      'textbox Longest delay: 10m, or empty': 'createDriftSchedule',
      'combobox What is scheduled': 'createDriftSchedule',
      'checkbox Put it back': 'createDriftSchedule',
      ...hookControls('createStackHook'),
    },
    calls: { ...OF_STACK, consoleSettings: 'reader', listStackHooks: 'admin' },
  },
  organization: {
    controls: {
      'button Make a token': 'createToken',
      'textbox Name of the token': 'createToken',
      'combobox Role of the token': 'createToken',
      'combobox Time until it ends': 'createToken',
      'textbox Name of the role': 'createRole',
      'textbox What it is for': 'createRole',
      'textbox Permissions: stack:read, stack:write': 'createRole',
      'button Make a role': 'createRole',
      'textbox To: user:NAME or team:NAME': 'createGrant',
      'combobox Role of the grant': 'createGrant',
      'textbox Stacks: shop/*, or empty for all': 'createGrant',
      'textbox Tag: NAME=VALUE, or empty': 'createGrant',
      'button Make a grant': 'createGrant',
      'textbox Name of the trust': 'createTrust',
      'textbox Address of the issuer': 'createTrust',
      'textbox Claims: sub=repo:acme/*': 'createTrust',
      'textbox Audience, or empty': 'createTrust',
      'textbox For: team:NAME, or empty for all': 'createTrust',
      'combobox Role of its tokens': 'createTrust',
      'textbox Only stacks: shop/*': 'createTrust',
      'textbox Minutes of a token: 60': 'createTrust',
      'button Trust it': 'createTrust',
      ...hookControls('createHook'),
    },
    calls: {
      ...{ consoleSession: 'reader', listMembers: 'reader', listRoles: 'reader', listAgents: 'reader' },
      ...{ listNotices: 'reader', listTokens: 'reader', listGrants: 'reader', listTrusts: 'reader' },
      ...{ listHooks: 'reader', auditLogs: 'reader' },
    },
  },
  approval: {
    controls: {
      'button Approve': 'sendMessage',
    },
    calls: { ...OF_STACK, consoleChange: 'reader' },
  },
  'running change': {
    controls: {
      'button Stop': 'sendMessage',
      'button Abort and roll back': 'sendMessage',
      'button Cut off': 'cancelUpdate',
    },
    calls: { ...OF_STACK, consoleChange: 'reader' },
  },
  doubt: {
    controls: {
      'textbox Id of the object': 'sendMessage',
      'button It was created': 'sendMessage',
      'button It was not created': 'sendMessage',
    },
    calls: OF_STACK,
  },
} as const satisfies Readonly<Record<PageName, PageRow>>;

function hookControls(route: RouteName): Readonly<Record<string, RouteName>> {
  return {
    'button Make a webhook': route,
    'textbox Name of the webhook': route,
    'textbox Address to send events to': route,
    'textbox Secret for its signature': route,
    'combobox Form of its bodies': route,
  };
}

/** Controls that only choose what is shown, or copy it. Everyone has them, and sees what a rollback would do. */
const LOOKS = new Set([
  ...[
    'button Copy command',
    'button Copy URN',
    'button Copy id',
    'button Copy Commit',
    'button Copy Plan',
    'button Copy State',
    'button Close',
    'button Flat list',
  ],
  ...['button Show its history', 'button Larger', 'button Smaller', 'button Whole graph'],
  ...['combobox Connections', 'combobox Signs', 'combobox Preview', 'button All, in order', 'button Now'],
  ...['button To approve', 'button Failed or in doubt', 'button Slowest'],
  ...['button Resume …', 'button Roll back …'],
]);

/** Page of one caller, with the routes that answered it and their statuses. */
interface Opened extends WatchedPage {
  readonly answers: Map<string, number>;
}

let browser: Browser;
let made: ConsoleBox;
const opened = new Map<Role | 'stranger', Opened>();

const browserTest = browserTests(async () => {
  browser = await startBrowser();
  made = await filledConsole();
  const admin = made.service.client['CAIRN_ACCESS_TOKEN'] as string;
  opened.set('admin', await openAs(admin));
  for (const role of ['reader', 'writer'] as const)
    opened.set(role, await openAs(await newToken(made.box, bucketOf(made.box), { user: role, role })));
  await post('/api/orgs/organization/members/stranger', admin, { role: 'none' });
  const stranger = await newToken(made.box, bucketOf(made.box), { user: 'stranger', role: 'admin' });
  opened.set('stranger', await openAs(stranger));
});
afterAll(async () => {
  made?.remove();
  await browser?.close();
});

async function post(at: string, token: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(made.service.url + at, { method: 'POST', headers, body: JSON.stringify(body) });
  expect([at, Math.floor(answer.status / 100)]).toEqual([at, 2]);
  return JSON.parse((await answer.text()) || '{}') as Readonly<Record<string, unknown>>;
}

/** Opens the console with a token. */
async function openAs(token: string): Promise<Opened> {
  const { path: link } = await post('/console/links', token, {});
  const watched = await openPage(browser);
  const answers = new Map<string, number>();
  watched.page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const route = routeOf(response.request().method(), pathname);
    if (route !== undefined) answers.set(route, response.status());
  });
  await watched.page.goto(made.service.url + String(link));
  await watched.page.getByRole('heading', { name: 'Stacks' }).waitFor();
  return { ...watched, answers };
}

const PATTERNS = Object.entries(ROUTES).map(([name, { method, path }]) => {
  const pattern = path.replace(/\{(\w+)(?::([\w|]+))?\}/g, (_whole, _name, texts?: string) =>
    texts === undefined ? '[^/]+' : `(?:${texts})`,
  );
  return { name: name as RouteName, method, pattern: new RegExp(`^${pattern}$`) };
});

/** Returns the route of a call, or undefined for the files of the page. */
function routeOf(method: string, pathname: string): RouteName | undefined {
  const found = PATTERNS.filter((each) => each.method === method && each.pattern.test(pathname));
  if (found.length > 1) return found.find(({ pattern }) => !pattern.source.includes('[^/]+$'))?.name;
  return found[0]?.name;
}

/** Returns what a page lets its user change: the roles and names of its controls. */
async function controlsOf(page: Page): Promise<readonly string[]> {
  const text = await page.getByRole('main').ariaSnapshot();
  const found = text.matchAll(/- '?(button|textbox|combobox|checkbox) "([^"]*)"/g);
  return [...new Set([...found].map(([, role, name]) => `${role} ${name}`))].filter(
    (each) => !LOOKS.has(each),
  );
}

async function visit(watched: WatchedPage, address: string): Promise<void> {
  await watched.page.goto(made.service.url + address);
  await settled(watched);
}

interface AlteredAnswer {
  readonly role?: string;
  readonly change?: object;
  readonly doubts?: readonly object[];
}

/** Makes an answer one of a change that runs, and of a step in doubt that its records know. */
function altered(name: PageName, { change, role, doubts, ...answer }: AlteredAnswer): object {
  const isRunning = name === 'running change';
  const running = { update: 'u1', kind: 'update', by: 'ann', since: 1 };
  return {
    ...answer,
    ...(change && { change: isRunning ? { ...change, running: true, sealed: undefined } : change }),
    ...(role !== undefined && { role, doubts, ...(isRunning && { running }) }),
    ...(name === 'doubt' && { doubts: doubts?.map((each) => ({ ...each, change: 1, task: '1' })) }),
  };
}

/** Returns the controls and calls that a caller should find on a page. */
function expectedOn(name: PageName, role: Role) {
  const { controls, calls }: PageRow = ROWS[name];
  const letsIn = (needs: string): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needs as Role);
  return {
    controls: Object.entries(controls)
      .filter(([, route]) => letsIn(ROUTES[route].needs))
      .map(([each]) => each)
      .sort(),
    calls: Object.fromEntries(
      Object.entries(calls)
        .filter(([, from]) => letsIn(from))
        .map(([route]) => {
          const { needs } = ROUTES[route as RouteName];
          return [route, needs === 'user' || letsIn(needs) ? 200 : 403];
        }),
    ),
  };
}

const PAGES: readonly (readonly [name: PageName, address: string])[] = [...CONSOLE_PAGES, ...ALTERED_PAGES];

browserTest.each(ROLES)(
  'each page has the buttons and the calls of the route table for the role %s',
  async (role) => {
    const { page, ...caller } = opened.get(role) as Opened;
    for (const [name, address] of PAGES) {
      caller.answers.clear();
      await page.route(/\/console\/stacks\/[^?]*$/, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({
          response: answer,
          json: altered(name, (await answer.json()) as AlteredAnswer),
        });
      });
      const expected = expectedOn(name, role);
      const isStreamed = 'consoleStream' in expected.calls;
      await Promise.all([
        isStreamed ? page.waitForResponse(/\/console\/stream\?/) : undefined,
        visit({ page, ...caller }, address),
      ]);
      if (name === 'approval') await page.getByRole('option', { name: /^shut/ }).click();
      const found = {
        controls: [...(await controlsOf(page))].sort(),
        calls: Object.fromEntries(caller.answers),
      };
      expect([name, found]).toEqual([name, expected]);
      const refused = Object.values(found.calls).filter((status) => status === 403).length;
      expect([name, await page.getByText('403 Forbidden').count()]).toEqual([name, refused]);
      // An event of the stream may have begun a call that this page does not wait for.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
  },
);

browserTest('a user without a role sees nothing of the organization, on any page', async () => {
  const { page, ...caller } = opened.get('stranger') as Opened;
  for (const [name, address] of PAGES) {
    caller.answers.clear();
    await visit({ page, ...caller }, address);
    const controls = await controlsOf(page);
    const statuses = [...caller.answers].filter(([, status]) => status < 400).map(([route]) => route);
    const open = name === 'stacks' ? ['consoleSession', 'consoleStacks'] : ['consoleSession'];
    expect([name, controls, statuses.sort()]).toEqual([name, [], open]);
    const text = await page.getByRole('main').innerText();
    expect([name, text]).toEqual([
      name,
      expect.stringMatching(/404 Not Found|403 Forbidden|There are no stacks yet/),
    ]);
    expect(text).not.toMatch(/page2|boss/);
  }
});

browserTest('every page of a stack that the navigation has is in the table', async () => {
  const { page, ...caller } = opened.get('reader') as Opened;
  await visit({ page, ...caller }, '/s/organization/shop/shown');
  const links = await page.getByRole('navigation', { name: 'Stack' }).getByRole('link').all();
  const pages = await Promise.all(links.map((link) => link.getAttribute('href')));
  const paths = new Set(
    CONSOLE_PAGES.map(([, address]) => address.replace(/\?.*$/, '').replace(/stuck|asked/, 'shown')),
  );
  expect(pages.filter((address) => !paths.has(address ?? ''))).toEqual([]);
});
