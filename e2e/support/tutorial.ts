import { sandbox } from './cairn.js';
import type { Sandbox } from './cairn.js';
import { PageRun, readPage } from './page-run.js';
import type { PageRunOptions } from './page-run.js';
import { runningOf } from './processes.js';

/** The variables of a person who has set none. */
const STRANGER = {
  ...{ CAIRN_BACKEND_URL: undefined, CAIRN_HOME: undefined, CAIRN_CONFIG_PASSPHRASE: undefined },
  ...{ CI: undefined, GIT_CONFIG_GLOBAL: '/dev/null' },
};

/** Makes the box in which a user with an empty folder carries out a tutorial. */
export const tutorialBox = (): Sandbox => sandbox({ 'package.json': '{}' }, { projectFile: false });

/** Carries out a page of `docs/tutorials`, with texts of it replaced. */
export function carryOut(
  box: Sandbox,
  page: string,
  replaced: Readonly<Record<string, string>> = {},
  { env, ...options }: PageRunOptions = {},
): Promise<void> {
  const run = new PageRun(box, { env: { ...STRANGER, ...env }, ...options });
  return run.carryOut(readPage(`tutorials/${page}.md`, replaced));
}

/** Ends the processes that an incomplete run of a page has left, and removes the box. */
export function removeBox(box: Sandbox): void {
  for (const { pid } of runningOf(box)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  box.remove();
}
