import { createLogUpdate } from 'log-update';
import type { World } from '../world.js';
import { visibleInColour } from './controls.js';

/** The part of the terminal that is redrawn; everything said goes above it. */
export interface LiveScreen {
  /** Replaces the block. */
  draw(text: string): void;
  /** Writes above the block. */
  above(text: string): void;
  /** Leaves the block as it is and gives the cursor back. */
  done(): void;
  readonly columns: () => number;
  readonly rows: () => number;
}

/** The redrawn block on a real terminal. The cursor is hidden while it is there and comes back on every way out. */
export function liveScreen(stdout: World['stdout']): LiveScreen {
  const update = createLogUpdate(stdout as NodeJS.WritableStream, { showCursor: false });
  let block = '';
  return {
    draw(text) {
      block = visibleInColour(text);
      update(block);
    },
    above(text) {
      update.clear();
      stdout.write(visibleInColour(text));
      if (block !== '') update(block);
    },
    done: () => update.done(),
    columns: () => stdout.columns ?? 120,
    rows: () => stdout.rows ?? 40,
  };
}

/** A timer that does not keep the process alive. Returns the way to stop it. */
export function every(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}
