import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import type { OpenStack } from '@cairn/operations/stacks';
import { runOperationCommand } from '../flows/operate.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { watchFiles } from '../flows/watch-files.js';
import { errorText, reportStyle } from '../terminal/report.js';
import type { Command } from '../command-spec.js';
import type { Lists } from '../flags/flag-spec.js';
import type { OperationFlags } from '../flags/operation.js';
import type { CommandContext } from '../command-context.js';

/** Changes that are less than this apart count as one: editors and formatters write several files. Milliseconds. */
const QUIET_MS = 300;

/**
 * `watch`: runs an update whenever files change, until an interrupt. A failed update does not end it. Changes during an
 * update lead to one more.
 */
export const run: Command<Lists<'path'>> = async ({ flags }, context) => {
  const watched = await withStackForFlags(context, flags, async (stack) => placesOf(context, flags, stack));
  const changes = new Changes();
  const unlisten = context.onInterrupt(() => changes.end());
  const stop = startWatching(watched, (file) => changes.add(file));
  try {
    context.stderr.write(`Watching ${watched.paths.join(', ')}; save a file to update, ^C to end\n`);
    for (;;) {
      const files = await changes.next();
      if (files === undefined) return EXIT.ok;
      const [first = ''] = files;
      const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
      context.stderr.write(`\n${path.relative(context.cwd, first)}${more} changed\n`);
      await updateOnce(context, flags);
      if (!changes.ended) context.stderr.write('Watching; save a file to update, ^C to end\n');
    }
  } finally {
    stop();
    unlisten();
  }
};

/** Runs one update and reports its errors. */
async function updateOnce(context: CommandContext, flags: OperationFlags): Promise<void> {
  try {
    // An update without a preview or a confirmation; the project file says what an error does.
    const up = { ...flags, yes: true, skipPreview: true, onError: undefined };
    await runOperationCommand(context, { kind: 'up', previewOnly: false, flags: up });
  } catch (error) {
    context.stderr.write(errorText(error, reportStyle(context)));
  }
}

/** Returns the watched places: the given paths, else the project. The store of its states is not watched. */
function placesOf(context: CommandContext, flags: Lists<'path'>, { project, url }: OpenStack) {
  const given = flags.path.map((each) => path.resolve(context.cwd, each));
  const { directory } = project.location;
  const store = url.startsWith('file:///') ? fileURLToPath(url.split('?', 1)[0] ?? url) : undefined;
  return {
    paths: given.length === 0 ? [directory] : given,
    except: store === undefined ? [] : [path.resolve(store)],
  };
}

function startWatching(watched: ReturnType<typeof placesOf>, changed: (file: string) => void): () => void {
  try {
    return watchFiles(watched, changed);
  } catch (error) {
    throw cairnError('CAIRN-USAGE', 'cannot watch the files', { causes: [messageOf(error)] }, error);
  }
}

/** Changed files, gathered until no change has come for a moment. */
class Changes {
  readonly #files = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #quiet = false;
  #wake: (() => void) | undefined;
  ended = false;

  add(file: string): void {
    this.#files.add(file);
    this.#quiet = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#quiet = true;
      this.#wake?.();
    }, QUIET_MS);
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.#timer);
    this.#wake?.();
  }

  /** Returns the files that changed since the last call, or undefined once watching has ended. */
  async next(): Promise<readonly string[] | undefined> {
    // A pending promise does not keep the process alive; a timer does.
    const alive = setInterval(() => undefined, 2 ** 30);
    try {
      while (!this.ended && !(this.#quiet && this.#files.size > 0))
        await new Promise<void>((resolve) => (this.#wake = resolve));
    } finally {
      clearInterval(alive);
    }
    if (this.ended) return undefined;
    const files = [...this.#files];
    this.#files.clear();
    this.#quiet = false;
    return files;
  }
}
