import { freePort } from '../support/free-port.js';
import { leftOut, readPage } from '../support/page-run.js';
import { carryOut, removeBox, tutorialBox } from '../support/tutorial.js';

/** The first tutorial, from the page: a program that starts and ends a process, which serves a web page. */

const box = tutorialBox();
afterAll(() => removeBox(box));

test(`docs/tutorials/first-program.md${leftOut(readPage('tutorials/first-program.md'))}`, async () => {
  await carryOut(box, 'first-program', { 8080: String(await freePort('localhost')) });
});
