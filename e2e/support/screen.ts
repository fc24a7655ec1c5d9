import { Terminal } from '@xterm/headless';
import type { Sandbox } from './cairn.js';
import { onTerminal } from './terminal.js';
import type { OnTerminal } from './terminal.js';

/** A command on a terminal, seen as a person sees it. */
interface OnScreen extends OnTerminal {
  /** The lines on the screen without blank ones at the end; `all`: with those that have scrolled away. */
  lines(all?: boolean): Promise<readonly string[]>;
  /** Everything, with the lines that the terminal has broken as they were written. */
  written(): Promise<readonly string[]>;
}

/** Runs `cairn` on a terminal of the size, and shows its output on an emulated one. */
export function onScreen(
  box: Sandbox,
  words: readonly string[],
  options: {
    readonly columns: number;
    readonly rows: number;
    readonly env?: Record<string, string | undefined>;
  },
): OnScreen {
  const { columns, rows } = options;
  const screen = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  const running = onTerminal(box, words, { ...options, onData: (chunk) => screen.write(chunk) });
  return {
    ...running,
    resize(wide, high) {
      screen.resize(wide, high);
      running.resize(wide, high);
    },
    async written() {
      await new Promise<void>((done) => screen.write('', done));
      const { active } = screen.buffer;
      const lines: string[] = [];
      for (let at = 0; at < active.length; at++) {
        const broken = active.getLine(at + 1)?.isWrapped === true;
        const text = active.getLine(at)?.translateToString(!broken) ?? '';
        if (active.getLine(at)?.isWrapped === true) lines.push((lines.pop() ?? '') + text);
        else lines.push(text);
      }
      return lines;
    },
    async lines(all = false) {
      await new Promise<void>((done) => screen.write('', done));
      const { baseY, length } = screen.buffer.active;
      const lines: string[] = [];
      for (let at = all ? 0 : baseY; at < length; at++)
        lines.push(screen.buffer.active.getLine(at)?.translateToString(true) ?? '');
      while (lines.length > 0 && lines.at(-1) === '') lines.pop();
      return lines;
    },
  };
}
