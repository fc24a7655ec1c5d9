import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Returns the reason why there is no browser for tests, or undefined if there is one. */
export function whyNoBrowser(): string | undefined {
  return CHROMIUM.some((file) => existsSync(file)) ? undefined : 'chromium is not installed';
}

/**
 * Returns the function for tests that need a browser. `prepare` runs before them. Where there is no browser, or `why`
 * says what else is missing, they are skipped and nothing is prepared.
 */
export function browserTests(prepare: () => Promise<void>, why = whyNoBrowser()): jest.It {
  if (why !== undefined) return test.skip;
  beforeAll(prepare, 300_000);
  return test;
}

/** Starts the browser that all tests of a file share. */
export function startBrowser(): Promise<Browser> {
  return launch({}, []);
}

function launch(env: Readonly<Record<string, string>>, more: readonly string[]): Promise<Browser> {
  const executablePath = CHROMIUM.find((file) => existsSync(file)) as string;
  const args = ['--no-sandbox', '--disable-dev-shm-usage', ...more];
  return chromium.launch({ executablePath, args, env: { ...process.env, ...env } as Record<string, string> });
}

/** Folders of the fonts that every Debian and Ubuntu with a browser has. */
const FONTS = ['/usr/share/fonts/truetype/dejavu', '/usr/share/fonts/dejavu'];

/** Returns the reason why pages cannot have the letters of the kept pictures, or undefined if they can. */
export function whyOtherLetters(): string | undefined {
  return FONTS.some((folder) => existsSync(path.join(folder, 'DejaVuSans.ttf')))
    ? undefined
    : 'the DejaVu fonts are not installed';
}

/** Starts a browser that has one family of fonts, so that its pages look the same on every machine. */
export async function startPictureBrowser(): Promise<Browser> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-fonts-'));
  const file = path.join(folder, 'fonts.conf');
  const folders = FONTS.map((each) => `<dir>${each}</dir>`).join('');
  const cache = `<cachedir>${folder}</cachedir>`;
  const family = '<match><edit name="family" mode="append"><string>DejaVu Sans</string></edit></match>';
  writeFileSync(file, `<?xml version="1.0"?><fontconfig>${folders}${cache}${family}</fontconfig>`);
  const browser = await launch({ FONTCONFIG_FILE: file }, [
    '--font-render-hinting=none',
    '--disable-lcd-text',
  ]);
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}

/** Page of one test, with everything that its browser has received. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Addresses and bodies of answers that are not waited for any more, and the events of streams. */
  readonly received: string[];
  /** Errors of scripts, and messages of the browser about what its policy refused. */
  readonly errors: string[];
  /** Requests whose answers have not been received whole, without streams. */
  readonly waiting: ReadonlySet<unknown>;
}

/** Time after which something is not there, in milliseconds: operations in processes of their own may be slow. */
const PATIENCE_MS = 50_000;

/** Opens a page in a context of its own. */
export async function openPage(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.addInitScript(COUNT_CALLS);
  const received: string[] = [];
  const errors: string[] = [];
  const protocol = await context.newCDPSession(page);
  await protocol.send('Network.enable');
  protocol.on('Network.eventSourceMessageReceived', ({ data }) => received.push(`event: ${data}`));
  const waiting = new Set<unknown>();
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') waiting.add(request);
  });
  page.on('requestfinished', async (request) => {
    if (!waiting.has(request)) return;
    const text = await request
      .response()
      .then((response) => response?.text())
      .catch(() => undefined);
    if (text !== undefined) received.push(`${request.url()}\n${text}`);
    waiting.delete(request);
  });
  page.on('requestfailed', (request) => waiting.delete(request));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) errors.push(message.text());
  });
  return { page, context, received, errors, waiting };
}

/** Runs in the browser before a page. Counts the calls that wait for an answer, and those that were made or ended. */
const COUNT_CALLS = `(() => {
  const { fetch } = globalThis;
  const calls = { open: 0, turns: 0 };
  const count = (by) => { calls.open += by; calls.turns += 1; };
  globalThis.calls = calls;
  globalThis.fetch = async (...words) => {
    count(1);
    try {
      const answer = await fetch(...words);
      answer.clone().text().catch(() => undefined).finally(() => count(-1));
      return answer;
    } catch (thrown) {
      count(-1);
      throw thrown;
    }
  };
})()`;

/**
 * Runs in the browser. Returns true if a page has nothing to do: it waits for no answer, and the effects of what it
 * shows, which run after a frame, make no call.
 */
const IS_AT_REST = `(async () => {
  const { turns } = calls;
  for (let frame = 0; frame < 2; frame += 1)
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return calls.open === 0 && calls.turns === turns;
})()`;

/** Waits until a page has loaded what it shows, and its answers are received. */
export async function settled({ page, waiting }: Pick<WatchedPage, 'page' | 'waiting'>): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  const loading = page.getByText(/^Loading .* …$/);
  do await loading.first().waitFor({ state: 'detached' });
  while (!(await page.evaluate<boolean>(IS_AT_REST)) || waiting.size > 0 || (await loading.count()) > 0);
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Rules of axe whose result depends on colours. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns the findings of axe on a page, each with the elements that it is about. `rules` default to all. */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
        };
      };
      return (await axe.run(options)).violations;
    },
    rules === undefined ? {} : { runOnly: { type: 'rule', values: [...rules] } },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** Returns all that a browser keeps of a page, as text: storage, cookies, and the addresses it can go back to. */
export async function keptByBrowser({ page, context }: WatchedPage): Promise<string> {
  const protocol = await context.newCDPSession(page);
  const { entries } = await protocol.send('Page.getNavigationHistory');
  const stored = await page.evaluate<unknown>(`(async () => [
    { ...localStorage }, { ...sessionStorage }, history.state, await indexedDB.databases(), await caches.keys(),
  ])()`);
  const addresses = entries.map(({ url, title }) => `${title} ${url}`);
  return JSON.stringify({ addresses, stored, cookies: await context.cookies() });
}
