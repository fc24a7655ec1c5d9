import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { leftOut, readPage } from '../support/page-run.js';
import { carryOut, removeBox, tutorialBox } from '../support/tutorial.js';

/** The first tutorial, from the page: a program that starts and ends a process, which serves a web page. */

const box = tutorialBox();
afterAll(() => removeBox(box));

test(`docs/tutorials/first-program.md${leftOut(readPage('tutorials/first-program.md'))}`, async () => {
  await carryOut(box, 'first-program', { 8080: String(await freePort()) });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, 'localhost', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
