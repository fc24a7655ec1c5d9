import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { WatchedPage } from './browser.js';

/** Folder with the kept pictures. */
const KEPT = path.resolve(__dirname, '..', '..', 'docs', 'console');

/** Side of a block in pixels, about one line of text. */
const BLOCK = 20;
/** Difference of the mean light of a block from which on the block counts as changed, of 255. */
const LIGHT = 6;
/** Blocks of one picture that may have changed: edges of letters, and numbers whose digits differ. */
const MOST_BLOCKS = 1;

/** Result of a comparison. */
interface Likeness {
  /** Number of blocks that differ, or Infinity for pictures of different sizes. */
  readonly differing: number;
  readonly isAlike: boolean;
}

/** Compares pictures in a page of the browser, which can read them. */
export class PictureJudge {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(browser: Browser): Promise<PictureJudge> {
    return new PictureJudge(await browser.newPage());
  }

  /** Compares two pictures by the mean light of their blocks. */
  async compare(one: Buffer, other: Buffer): Promise<Likeness> {
    const pictures = [one, other].map((each) => `data:image/png;base64,${each.toString('base64')}`);
    const settings = JSON.stringify({ pictures, block: BLOCK, light: LIGHT });
    const blocks = await this.#page.evaluate<number | null>(`(${DIFFERING_BLOCKS})(${settings})`);
    const differing = blocks ?? Infinity;
    return { differing, isAlike: differing <= MOST_BLOCKS };
  }
}

/** Runs in the browser. Returns the number of blocks whose mean light differs, or null for different sizes. */
const DIFFERING_BLOCKS = `async ({ pictures, block, light }) => {
  const read = async (address) => {
    const picture = await createImageBitmap(await (await fetch(address)).blob());
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    context.drawImage(picture, 0, 0);
    return context.getImageData(0, 0, picture.width, picture.height);
  };
  const [one, other] = await Promise.all(pictures.map(read));
  if (one.width !== other.width || one.height !== other.height) return null;
  const lightOf = ({ data }, at) => 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
  const columns = Math.ceil(one.width / block);
  const sums = new Float64Array(columns * Math.ceil(one.height / block));
  for (let pixel = 0; pixel < one.width * one.height; pixel += 1) {
    const column = Math.floor((pixel % one.width) / block);
    const row = Math.floor(pixel / one.width / block);
    sums[row * columns + column] += lightOf(one, pixel * 4) - lightOf(other, pixel * 4);
  }
  return sums.filter((sum) => Math.abs(sum) > light * block * block).length;
}`;

/** Texts that differ from run to run, each with the text that pictures have. */
const VARYING: readonly (readonly [pattern: string, text: string])[] = [
  [String.raw`\bnow\b|\b\d+ (?:s|min|h|days?) ago\b`, '2 min ago'],
  [String.raw`\b\d+(?:\.\d+)? m?s\b|\bunder 1 s\b`, '20 ms'],
  [String.raw`\b(?=[0-9a-f]*\d)[0-9a-f]{8}\b`, '0a1b2c3d'],
  [String.raw`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`, '0a1b2c3d-0000-4000-8000-000000000000'],
  [String.raw`(?:\b\d{1,2} [A-Z][a-z]+ \d{4}, )?\b\d{1,2}:\d\d\b`, '12:00'],
  [String.raw`http://127\.0\.0\.1:\d+`, 'https://state.example.com'],
];

/** Runs in the browser. Replaces texts by texts: `names` as they are, `varying` by patterns. */
const REPLACE_TEXTS = `({ names, varying }) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    let text = node.textContent;
    for (const [name, shown] of names) text = text.replaceAll(name, shown);
    for (const [pattern, shown] of varying) text = text.replaceAll(new RegExp(pattern, 'g'), shown);
    if (text !== node.textContent) node.textContent = text;
  }
}`;

/** Most pictures of a page that still loads or draws. */
const MOST_TRIES = 30;

/**
 * Takes a picture of a whole page, once it waits for no answer and the picture is the expected one or the same as the
 * one before. `machine`: names of this machine, each with the text that pictures have.
 */
export async function takePicture(
  { page, waiting }: WatchedPage,
  machine: Readonly<Record<string, string>>,
  isExpected: (taken: Buffer) => Promise<boolean> = async () => false,
): Promise<Buffer> {
  const texts = JSON.stringify({ names: Object.entries(machine), varying: VARYING });
  let last: Buffer | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    await page
      .getByText(/^Loading .* …$/)
      .first()
      .waitFor({ state: 'detached' });
    await page.evaluate(`(${REPLACE_TEXTS})(${texts})`);
    const next = await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' });
    const isCalm = waiting.size === 0;
    if (isCalm && (last?.equals(next) === true || (await isExpected(next)))) return next;
    last = isCalm ? next : undefined;
  }
  throw new Error(`${page.url()} does not come to rest`);
}

/** Reads a kept picture, if there is one. */
export function keptPicture(name: string): Buffer | undefined {
  const file = path.join(KEPT, `${name}.png`);
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** Keeps a picture. */
export function keepPicture(name: string, picture: Buffer): void {
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(path.join(KEPT, `${name}.png`), picture);
}
