import { existsSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Returns the reason why there is no browser for tests, or undefined if there is one. */
export function whyNoBrowser(): string | undefined {
  return CHROMIUM.some((file) => existsSync(file)) ? undefined : 'chromium is not installed';
}

/** Starts the browser that all tests of a file share. */
export function startBrowser(): Promise<Browser> {
  const executablePath = CHROMIUM.find((file) => existsSync(file)) as string;
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** Page of one test, with everything that its browser has received. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Bodies of answers, and messages of the page. */
  readonly received: string[];
  /** Errors of scripts, and messages of the browser about what its policy refused. */
  readonly errors: string[];
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
  const received: string[] = [];
  const errors: string[] = [];
  page.on('response', (response) => {
    const isStream = response.headers()['content-type']?.startsWith('text/event-stream') === true;
    if (!isStream)
      void response.text().then(
        (text) => received.push(text),
        () => undefined,
      );
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) errors.push(message.text());
  });
  return { page, context, received, errors };
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the findings of axe on a page, each with the elements that it is about. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    return (await axe.run()).violations;
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
