// node tools/bench/console-page.mjs [--rows 10000] [--runs 5] [--events 100000]
// What pages of the console cost the browser, in Chromium beside a service without a store: the first view of many
// resources beside a bare page with the same rows, frames of scrolling and panning beside the first drawing, a change
// with 1,000 events a second beside a page that only parses them, keys meanwhile, and memory. Processor time, medians.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { ensureBuilt, ensureInstalled } from '../setup.mjs';
import { toolOptions } from '../tool-options.mjs';
import { BARE_PAGES } from './console-bare.mjs';
import { STACK_PAGE, changeRecords, fakeConsole, resourceRows } from './console-fake.mjs';
import { median } from './service-calls.mjs';

const { number } = toolOptions(import.meta.url, {
  options: {
    rows: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
    events: { type: 'string', default: '100000' },
  },
});
const runs = number('runs');
const events = number('events');
/** Frames of one measurement of scrolling or panning. */
const FRAMES = 60;
/** Tasks of the change, events a second, and seconds of one measurement. */
const TASKS = 2000;
const RATE = 1000;
const SECONDS = 8;
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

ensureInstalled();
ensureBuilt();
const rows = resourceRows(number('rows'), Math.round(number('rows') * 1.5));
const records = changeRecords(TASKS, Math.max(events, TASKS + RATE * SECONDS));
const browser = await chromium.launch({
  executablePath: CHROMIUM.find((file) => existsSync(file)),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--enable-precise-memory-info'],
});
const service = await fakeConsole({ rows, records, pages: BARE_PAGES });
try {
  await firstView();
  await frames('scrolling', 'Resources', 'scroll');
  await frames('panning the whole graph', 'Graph', 'pan');
  await frames('panning a graph that can be read', 'Graph', 'pan', 14);
  await live();
  await memory();
} finally {
  await browser.close();
  service.close();
}

/** Opens an empty page of the service, so that what is measured needs no new process. */
async function openPage() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`${service.url}/bare/empty`);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { context, page, session };
}

/** Returns the processor time of the main thread of a page so far, in milliseconds. */
async function threadTime({ session }) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
}

/** Returns the processor time of all processes of the browser but its own, in milliseconds. */
async function browserTime() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === 'renderer' || type === 'GPU');
  return pages.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

async function measured(opened, work) {
  const [thread, all] = [await threadTime(opened), await browserTime()];
  await work();
  return { thread: (await threadTime(opened)) - thread, all: (await browserTime()) - all };
}

async function firstView() {
  const found = { page: [], bare: [] };
  const paths = { page: `${STACK_PAGE}/resources`, bare: '/bare/rows' };
  for (let run = 0; run <= runs; run += 1)
    for (const side of run % 2 === 0 ? ['page', 'bare'] : ['bare', 'page']) {
      const opened = await openPage();
      const took = await measured(opened, async () => {
        await opened.page.goto(service.url + paths[side]);
        await opened.page.waitForFunction(rowsShown, 'treeitem');
      });
      // The first round warms up.
      if (run > 0) found[side].push(took);
      await opened.context.close();
    }
  print(
    `first view of ${rows.length} resources, beside the same rows of a bare page`,
    found.page,
    found.bare,
  );
}

/** Measures a frame of moving a view, beside the first drawing: from the click on its tab to the view. */
async function frames(title, tab, how, zooms = 0) {
  const [first, each] = [[], []];
  for (let run = 0; run <= runs; run += 1) {
    const opened = await openPage();
    const { page } = opened;
    await page.goto(`${service.url}${STACK_PAGE}`);
    await page.getByRole('heading', { name: 'Changes' }).waitFor();
    const drawn = await measured(opened, async () => {
      await page.getByRole('navigation', { name: 'Stack' }).getByRole('link', { name: tab }).click();
      await page.waitForFunction(rowsShown, how === 'scroll' ? 'treeitem' : 'option');
      await page.evaluate(nextFrames, 2);
    });
    for (let zoom = 0; zoom < zooms; zoom += 1) await page.getByRole('button', { name: 'Larger' }).click();
    const moved = await measured(opened, () => page.evaluate(how === 'scroll' ? scrolled : panned, FRAMES));
    if (run > 0) {
      first.push(drawn);
      each.push({ thread: moved.thread / FRAMES, all: moved.all / FRAMES });
    }
    await opened.context.close();
  }
  print(`${title}, a frame beside the first drawing`, each, first);
}

/** Returns true once there are rows. It costs the page less than looking for roles. */
function rowsShown(role) {
  return document.querySelectorAll(`[role=${role}]`).length > 8;
}

async function nextFrames(count) {
  for (let frame = 0; frame < count; frame += 1) await new Promise((done) => requestAnimationFrame(done));
}

async function scrolled(count) {
  const box = document.querySelector('[role=tree]');
  for (let frame = 0; frame < count; frame += 1) {
    box.scrollTop += 300;
    await new Promise((done) => requestAnimationFrame(done));
  }
}

async function panned(count) {
  const box = document.querySelector('[role=application]');
  const { left, top } = box.getBoundingClientRect();
  const send = (type, at, buttons) =>
    box.dispatchEvent(
      new PointerEvent(type, { clientX: left + at, clientY: top + at, buttons, bubbles: true }),
    );
  send('pointerdown', 300, 1);
  for (let frame = 0; frame < count; frame += 1) {
    send('pointermove', 300 - 4 * frame, 1);
    await new Promise((done) => requestAnimationFrame(done));
  }
  send('pointermove', 300, 0);
}

/** Measures a page of a change with many events a second, and the time from a key to the next picture meanwhile. */
async function live() {
  const found = { page: [], bare: [] };
  const keys = [];
  const until = TASKS + RATE * SECONDS;
  for (let run = 0; run < Math.min(runs, 3); run += 1)
    for (const side of run % 2 === 0 ? ['page', 'bare'] : ['bare', 'page']) {
      const opened = await openPage();
      const { page } = opened;
      await page.goto(service.url + (side === 'page' ? `${STACK_PAGE}/changes/1` : '/bare/stream'));
      await page
        .getByText(side === 'page' ? /runs/ : 'listening')
        .first()
        .waitFor();
      await service.connected(1);
      await service.send(0, TASKS, undefined);
      if (side === 'page') await page.getByRole('option').nth(10).waitFor();
      if (side === 'page') await page.getByRole('listbox', { name: 'Tasks' }).focus();
      const took = await measured(opened, () => service.send(TASKS, until, RATE));
      found[side].push(took);
      if (side === 'page') {
        // The same again with keys, which would cost the page of the comparison nothing.
        await page.evaluate(watchKeys);
        const pressed = press(page);
        await service.send(until, until + RATE * 4, RATE);
        await pressed.end();
        keys.push(...(await page.evaluate(() => globalThis.keyTimes)));
      }
      await opened.context.close();
    }
  print(`${RATE} events a second for ${SECONDS} s, beside parsing them`, found.page, found.bare);
  const sorted = keys.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  console.log(
    `keys meanwhile, to the next picture: ${sorted.length} keys, median ${at(0.5)} ms, 95 % in ${at(0.95)} ms, longest ${at(1)} ms`,
  );
}

/** Notes the time from each key to the next picture. Browsers report no times below 16 ms; these count as 16. */
function watchKeys() {
  globalThis.keyTimes = [];
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries())
      if (name === 'keydown') globalThis.keyTimes.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 });
}

function press(page) {
  let isOver = false;
  const pressing = (async () => {
    while (!isOver) {
      await page.keyboard.press('ArrowDown');
      await page.waitForTimeout(150);
    }
  })();
  return {
    end: async () => {
      isOver = true;
      await pressing;
    },
  };
}

/** Measures the memory of a page in use after a tenth of the events, and after all. */
async function memory() {
  const opened = await openPage();
  const { page, session } = opened;
  await page.goto(`${service.url}${STACK_PAGE}/changes/1`);
  await page.getByText(/runs/).first().waitFor();
  await service.connected(1);
  const used = async (from, to) => {
    await service.send(from, to, undefined);
    await page.waitForTimeout(1500);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return usedSize / 1e6;
  };
  const few = await used(0, events / 10);
  const many = await used(events / 10, events);
  await opened.context.close();
  console.log(
    `memory after ${events} events / ${events / 10}: ${(many / few).toFixed(2)} (${many.toFixed(1)} and ${few.toFixed(1)} MB)`,
  );
}

function print(title, some, beside) {
  const of = (results, part) => median(results.map((each) => each[part]));
  const text = (part) => {
    const [a, b] = [of(some, part), of(beside, part)];
    return `${(a / b).toFixed(3)} (${a.toFixed(1)} / ${b.toFixed(1)} ms)`;
  };
  console.log(`${title}: main thread ${text('thread')}, all of the browser ${text('all')}`);
}
