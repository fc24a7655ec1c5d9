import { stringWidth } from './width.js';
import type { CommandContext } from '../command-context.js';
import { visibleInColour } from './controls.js';
import { terminalColumns, terminalRows } from './terminal-size.js';

/** The part of the terminal that is redrawn; all messages go above it. */
export interface LiveScreen {
  /** Replaces the block; `above` is written above it and remains. */
  draw(text: string, above?: string): void;
  /** Writes above the block. */
  above(text: string): void;
  /** Leaves the block as it is and shows the cursor again. */
  done(): void;
  readonly columns: () => number;
  readonly rows: () => number;
}

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
/** Cuts text beyond the right edge, because terminals do not agree on the width of characters. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';
const ERASE_LINE = '\u001b[K';
const ERASE_BELOW = '\u001b[J';
const up = (lines: number): string => (lines > 0 ? `\u001b[${lines}A\r` : '\r');

/**
 * Redraws a block on a real terminal; the cursor is below it. New lines overwrite the old ones and the rest is erased,
 * so that nothing flickers. A terminal that has become narrower has broken the old lines, so they are counted as it
 * shows them. The cursor is hidden in the meantime and returns on every way out.
 */
export function liveScreen(stdout: CommandContext['stdout'], env: CommandContext['env']): LiveScreen {
  const columns = (): number => terminalColumns(stdout, env);
  const rows = (): number => terminalRows(stdout, env);
  let block: readonly string[] = [];
  let giveBack: (() => void) | undefined;

  const draw = (text: string, above = ''): void => {
    giveBack ??= takeCursor(stdout);
    const lines = text === '' ? [] : visibleInColour(text).split('\n');
    const said = above === '' ? '' : ERASE_BELOW + visibleInColour(above);
    const start = up(Math.min(shownHeight(block, columns()), rows() - 1));
    const drawn = lines.map((line) => `${line}${ERASE_LINE}\n`).join('');
    stdout.write(`${start}${said}${NO_WRAP}${drawn}${WRAP}${ERASE_BELOW}`);
    block = lines;
  };
  return {
    draw,
    above: (text) => draw(block.join('\n'), text),
    done() {
      block = [];
      giveBack?.();
      giveBack = undefined;
    },
    columns,
    rows,
  };
}

/** Counts the terminal lines that the lines of a block take. */
function shownHeight(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0);
}

/** Signals that end the process if there is no listener. */
const ENDING: readonly NodeJS.Signals[] = process.platform === 'win32' ? [] : ['SIGHUP', 'SIGQUIT'];

/** Hides the cursor. Returns a function that shows it; any end of the process does so too. */
function takeCursor(stdout: CommandContext['stdout']): () => void {
  const show = (): void => void stdout.write(SHOW_CURSOR);
  const hide = (): void => void stdout.write(HIDE_CURSOR);
  const end = (signal: NodeJS.Signals): void => {
    release();
    process.kill(process.pid, signal);
  };
  const pause = (): void => {
    show();
    process.kill(process.pid, 'SIGSTOP');
  };
  const release = (): void => {
    show();
    process.off('exit', show);
    for (const signal of ENDING) process.off(signal, end);
    if (process.platform === 'win32') return;
    process.off('SIGTSTP', pause);
    process.off('SIGCONT', hide);
  };
  hide();
  process.on('exit', show);
  for (const signal of ENDING) process.on(signal, end);
  if (process.platform !== 'win32') process.on('SIGTSTP', pause).on('SIGCONT', hide);
  return release;
}

/** Starts a timer that does not keep the process alive. Returns a function that stops it. */
export function every(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}
