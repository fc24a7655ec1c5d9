import { hostname, userInfo } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import {
  COLOUR_RULES,
  axeFindings,
  keptByBrowser,
  settled,
  startPictureBrowser,
  whyNoBrowser,
  whyOtherLetters,
  browserTests,
} from '../support/browser.js';
import type { WatchedPage } from '../support/browser.js';
import { CONSOLE_PAGES, PLANTED, filledConsole } from '../support/console-pages.js';
import { openTab } from '../support/console.js';
import type { ConsoleBox } from '../support/console.js';
import { PictureJudge, keepPicture, keptPicture, takePicture } from '../support/pictures.js';

/** True if pictures that differ are to be replaced: `npm run pictures`. */
const isUpdate = process.env['CAIRN_PICTURES'] === 'update';

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 1440];

interface Look {
  readonly colorScheme: (typeof SCHEMES)[number];
  readonly width: number;
}

let browser: Browser;
let made: ConsoleBox;
let judge: PictureJudge;
let opened: WatchedPage;
let page: Page;

const browserTest = browserTests(async () => {
  browser = await startPictureBrowser();
  made = await filledConsole();
  judge = await PictureJudge.open(browser);
  opened = await made.open(browser, { locale: 'en-GB', timezoneId: 'UTC' });
  ({ page } = opened);
}, whyNoBrowser() ?? whyOtherLetters());
afterAll(async () => {
  made?.remove();
  await browser?.close();
});

async function show(address: string, { colorScheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
  await page.goto(made.service.url + address);
  await settled(opened);
}

/** Takes a picture without the names of this machine. */
const picture = (isExpected?: (taken: Buffer) => Promise<boolean>): Promise<Buffer> =>
  takePicture(opened, { [hostname()]: 'build-1', [userInfo().username]: 'alice' }, isExpected);

/** Returns what is wrong with a page in one look. */
async function faults(name: string, look: Look): Promise<readonly string[]> {
  const full = `${name}-${look.colorScheme}-${look.width}`;
  const kept = keptPicture(full);
  let { differing, isAlike } = NONE;
  const taken = await picture(async (next) => {
    if (kept !== undefined) ({ differing, isAlike } = await judge.compare(kept, next));
    return isAlike;
  });
  // The elements are those of the light look.
  const found = [...(await axeFindings(page, look.colorScheme === 'dark' ? COLOUR_RULES : undefined))];
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  if (wide > 0) found.push(`${wide} pixels too wide`);
  if ((await page.content()).includes(PLANTED)) found.push('shows the secret');
  if (!isAlike && isUpdate) keepPicture(full, taken);
  else if (!isAlike)
    found.push(`differs from docs/console/${full}.png in ${differing} blocks: npm run pictures`);
  return found.map((fault) => `${full}: ${fault}`);
}

const NONE = { differing: Infinity, isAlike: false };

browserTest(
  'every page is as its picture, has no findings of axe and no secret, in light and dark, on a phone and a screen',
  async () => {
    const found: string[] = [];
    for (const [name, address] of CONSOLE_PAGES)
      for (const width of WIDTHS) {
        await show(address, { colorScheme: 'light', width });
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          found.push(...(await faults(name, { colorScheme, width })));
        }
      }
    expect(found).toEqual([]);
    const { received, errors } = opened;
    const all = [...received, await keptByBrowser(opened)];
    // The link that opened the console is not kept either.
    expect(all.filter((text) => text.includes(PLANTED) || /open-[\w-]{43}/.test(text))).toEqual([]);
    expect(received.filter((text) => /^event: .*"records"/.test(text))).not.toEqual([]);
    expect(errors).toEqual([]);
  },
  300_000,
);

browserTest(
  'a secret that is revealed leaves the page after 30 seconds, and by leaving its view',
  async () => {
    await page.clock.install();
    await page.goto(`${made.service.url}/s/organization/shop/shown`);
    const reveal = page.getByRole('button', { name: 'Reveal secret password' });
    await reveal.waitFor();
    // From here on, time is only what this test lets pass.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await reveal.click();
    await page.getByText(PLANTED).waitFor();
    await page.clock.runFor(500);
    await page.clock.fastForward(29_000);
    expect(await page.getByText(PLANTED).count()).toBe(1);
    await page.clock.runFor(1000);
    await page.getByText(PLANTED).waitFor({ state: 'detached' });
    await page.clock.resume();
    await reveal.click();
    await page.getByText(PLANTED).waitFor();
    await openTab(page, 'Resources');
    await page.getByText(PLANTED).waitFor({ state: 'detached' });
    expect((await page.content()) + (await keptByBrowser(opened))).not.toContain(PLANTED);
    await page.goBack();
    await reveal.waitFor();
    expect(await page.content()).not.toContain(PLANTED);
  },
  300_000,
);

/** Alters the page as a fault in it would, by a script: the policy of the page allows no other styles. */
const ALTERED: readonly (readonly [title: string, script: string])[] = [
  ['a button is missing', `document.querySelector('header button').remove()`],
  ['a heading is missing', `document.querySelector('h1').remove()`],
  ['a row is missing', `document.querySelector('tbody tr').remove()`],
  ['everything is lower', `document.querySelector('main').style.marginTop = '12px'`],
  [
    'a colour is missing',
    `for (const each of document.querySelectorAll('.badge')) each.style.background = 'none'`,
  ],
  [
    'one picture is longer',
    `document.body.append(Object.assign(document.createElement('p'), { style: 'height:3000px' }))`,
  ],
  ['text is over text', `document.querySelector('h1 ~ *, .tools').style.marginTop = '-30px'`],
];

browserTest(
  'a picture tells a page that has changed from one that has not',
  async () => {
    const look = { colorScheme: 'light', width: 1440 } as const;
    await show('/', look);
    const whole = await picture();
    const likeness = [];
    for (const [title, script] of ALTERED) {
      await show('/', look);
      await page.getByRole('table').waitFor();
      await page.evaluate(script);
      const { isAlike } = await judge.compare(whole, await picture());
      likeness.push([title, isAlike]);
    }
    expect(likeness).toEqual(ALTERED.map(([title]) => [title, false]));
    await show('/', { ...look, colorScheme: 'dark' });
    expect((await judge.compare(whole, await picture())).isAlike).toBe(false);
    await show('/', look);
    expect(await judge.compare(whole, await picture())).toEqual({
      differing: expect.any(Number),
      isAlike: true,
    });
  },
  300_000,
);
