import type { Browser, Page } from 'playwright-core';
import { openPage } from './browser.js';
import type { WatchedPage } from './browser.js';
import { expectOk, sandbox } from './cairn.js';
import type { Finished, Sandbox } from './cairn.js';
import { serveStore } from './served.js';
import type { ServedProcess } from './served.js';

/** Project with a stack `dev` on a service of its own. */
export interface ConsoleBox {
  readonly box: Sandbox;
  service: ServedProcess;
  cairn(...words: string[]): Promise<Finished>;
  /** Opens the console by the link that the command prints. */
  open(browser: Browser, options?: Parameters<typeof openPage>[1]): Promise<WatchedPage>;
  remove(): void;
}

/** Store of the service of a project: its own bucket. */
export const bucketOf = (box: Sandbox) => ({
  words: ['--store', String(box.env['CAIRN_BACKEND_URL'])],
  env: {},
});

/** Makes a project, and starts a service for it. */
export async function consoleBox(
  files: Parameters<typeof sandbox>[0],
  storeOf: (box: Sandbox) => Parameters<typeof serveStore>[1] = bucketOf,
): Promise<ConsoleBox> {
  const box = sandbox(files);
  const service = await serveStore(box, storeOf(box));
  const made: ConsoleBox = {
    ...{ box, service },
    cairn: (...words) => box.cairn(words, { env: made.service.client }),
    open: async (browser, options = {}) => {
      const link = expectOk(await made.cairn('console')).stdout.trim();
      const opened = await openPage(browser, options);
      await opened.page.goto(link);
      await opened.page.getByRole('heading', { name: 'Stacks' }).waitFor();
      return opened;
    },
    remove: () => {
      made.service.running.process.kill('SIGKILL');
      box.remove();
    },
  };
  expectOk(await made.cairn('stack', 'init', 'dev'));
  return made;
}

/** Goes from the list of stacks to the overview of the stack. */
export async function openStack(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'shop / dev' }).click();
  await page.getByRole('heading', { name: 'shop / dev' }).waitFor();
}

/** Goes to a page of the stack. */
export function openTab(page: Page, name: string): Promise<void> {
  return page.getByRole('navigation', { name: 'Stack' }).getByRole('link', { name }).click();
}

/** Entry of a state that is made for a test. Its type is `test:index:Thing`. */
export function thing(name: string, more: object = {}): object {
  return { urn: thingUrn(name), custom: false, type: 'test:index:Thing', ...more };
}

export function thingUrn(name: string): string {
  return `urn:pulumi:dev::shop::test:index:Thing::${name}`;
}

/** Returns the text of a state for `cairn stack import`. `more`: other members of the deployment. */
export function stateText(resources: readonly object[], more: object = {}): string {
  const manifest = { time: '2030-01-01T00:00:00Z', magic: '', version: '' };
  return JSON.stringify({ version: 3, deployment: { manifest, resources, ...more } });
}
