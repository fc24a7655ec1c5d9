import type { Page } from 'playwright-core';

/** Runs in the browser. Returns what sticks out of the window on its sides, or is cut without a sign. */
const CUT_OFF = `(() => {
  const found = [];
  const room = document.documentElement.scrollWidth - innerWidth;
  if (room > 0) found.push(room + ' pixels too wide');
  const scrolls = (each) => {
    for (let up = each.parentElement; up !== null; up = up.parentElement)
      if (up instanceof SVGElement || /auto|scroll/.test(getComputedStyle(up).overflowX)) return true;
    return false;
  };
  for (const each of document.body.querySelectorAll('*')) {
    const style = getComputedStyle(each);
    const { left, right, width } = each.getBoundingClientRect();
    const words = each.tagName + ' ' + (each.textContent || each.getAttribute('aria-label') || '').slice(0, 60);
    if (style.position === 'absolute' || width === 0 || scrolls(each)) continue;
    if (right > innerWidth + 1 || left < -1) found.push('outside: ' + words);
    const isCut = style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis';
    if (isCut && each.scrollWidth > each.clientWidth + 1 && !(each instanceof SVGElement))
      found.push('cut: ' + words);
  }
  return found;
})()`;

/** Returns what of a page cannot be seen at the width of its window. */
export function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(async () => {
    let found = [];
    // A drawing follows the size of its window with the next frames.
    for (let frame = 0; frame < 30; frame += 1) {
      found = ${CUT_OFF};
      if (found.length === 0) break;
      await new Promise(requestAnimationFrame);
    }
    return found;
  })()`);
}

/** Returns the names and roles of everything on a page, without the words that change with the clock. */
export async function accessibleText(page: Page): Promise<string> {
  const text = await page.locator('body').ariaSnapshot();
  return text
    .replace(/\b(?:now|\d+ (?:s|min|h) ago)\b/g, '2 min ago')
    .replace(/\b\d+(?:\.\d+)? m?s\b/g, '1 s');
}

/** Runs in the browser. Returns the lightness of the ground and of the letters, from 0 to 255. */
const LIGHTNESS = `(() => {
  const { backgroundColor, color } = getComputedStyle(document.documentElement);
  return [backgroundColor, color].map((each) => Math.max(...each.match(/\\d+/g).slice(0, 3).map(Number)));
})()`;

/** Returns whether a page has dark letters on light ground, or the reverse. */
export async function shownScheme(page: Page): Promise<'light' | 'dark' | 'neither'> {
  const [ground = 0, letters = 0] = await page.evaluate<readonly number[]>(LIGHTNESS);
  if (ground > 200 && letters < 80) return 'light';
  return ground < 60 && letters > 200 ? 'dark' : 'neither';
}

/** Runs in the browser. Returns all that moves by itself. */
const MOVING = `(() => {
  const moving = document.getAnimations().map((each) => each.animationName ?? each.transitionProperty);
  for (const each of document.querySelectorAll('*'))
    for (const part of [null, '::before', '::after', '::backdrop']) {
      const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(each, part);
      if (animationName !== 'none') moving.push('animation ' + animationName);
      if (/[1-9]/.test(transitionDuration)) moving.push('transition of ' + each.tagName);
      if (scrollBehavior === 'smooth') moving.push('scrolling of ' + each.tagName);
    }
  return moving;
})()`;

/** Returns the animations and transitions of a page, also those that have not begun. */
export function movingParts(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(MOVING);
}

/** Runs in the browser. Describes the element with the focus, or returns null for none. */
const FOCUSED = `(() => {
  const each = document.activeElement;
  if (each === null || each === document.body) return null;
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each);
  const { left, right, top, bottom, width, height } = each.getBoundingClientRect();
  const isInside = right > 0 && left < innerWidth && bottom > 0 && top < innerHeight && width * height > 0;
  const isDrawn = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !/, 0\\)|transparent/.test(outlineColor);
  globalThis.walked ??= new Set();
  const isNew = !globalThis.walked.has(each);
  globalThis.walked.add(each);
  const name = each.tagName + ' ' + (each.getAttribute('aria-label') ?? each.textContent ?? '').slice(0, 60);
  return { name, isNew, isSeen: isInside && isDrawn };
})()`;

interface Focused {
  readonly name: string;
  readonly isNew: boolean;
  readonly isSeen: boolean;
}

/** More stops than any page has. */
const MOST_STOPS = 300;

/** Walks through a page with Tab, once around. Returns the number of stops, and those at which no focus is seen. */
export async function walkFocus(
  page: Page,
): Promise<{ readonly stops: number; readonly unseen: readonly string[] }> {
  const unseen: string[] = [];
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<Focused | null>(FOCUSED);
    if (focused?.isNew !== true) return { stops, unseen };
    if (!focused.isSeen) unseen.push(focused.name);
  }
  throw new Error(`${page.url()} keeps the focus: ${MOST_STOPS} stops`);
}

/** Runs in the browser. Keeps what live regions say, with the time of the page. */
const HEAR = `(() => {
  globalThis.heard = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const each = target instanceof Element ? target : target.parentElement;
      const region = each?.closest('[aria-live], [role=status], [role=alert], [role=log]');
      const text = region?.textContent ?? '';
      if (text !== '' && globalThis.heard.at(-1)?.[1] !== text) globalThis.heard.push([performance.now(), text]);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
})()`;

/** Starts to listen to the live regions of a page. */
export async function hear(page: Page): Promise<void> {
  await page.evaluate(HEAR);
}

/** Returns what was heard since, each sentence with its time in milliseconds. */
export function heardSentences(page: Page): Promise<readonly (readonly [ms: number, text: string])[]> {
  return page.evaluate('globalThis.heard');
}

/**
 * Replaces the stream of a page by one that sends records of change 1 of a stack, 20 times a second: tasks that begin
 * and end.
 */
export const POURING_STREAM = `globalThis.EventSource = class extends EventTarget {
  static CLOSED = 2;
  readyState = 1;
  constructor() {
    super();
    let seq = 0;
    const at = new Date().toISOString();
    const record = (more) => ({ seq: (seq += 1), at, ...more });
    const send = (records) => this.dispatchEvent(new MessageEvent('records', {
      data: JSON.stringify({ stack: 'organization/shop/shown', change: 1, records }), lastEventId: '1-' + seq,
    }));
    setTimeout(() => this.onopen?.(), 0);
    this.timer = setInterval(() => {
      const task = String(seq);
      send([
        record({ record: 'task', id: task, kind: 'create', summary: 'create ' + task }),
        record({ record: 'intent', task, direction: 'do', status: 'doing', attempt: 1 }),
        record({ record: 'outcome', task, direction: 'do', result: 'ok', status: 'done', ms: 1 }),
      ]);
    }, 50);
  }
  close() {
    this.readyState = 2;
    clearInterval(this.timer);
  }
}`;
