import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { startWitness } from '@cairn/processes';
import type { Around } from '../connection/around.js';
import { FREE_LINE, SLOTS, WIDTH, callLine, newMarks } from './mark-text.js';
import type { MarkedCall } from './mark-text.js';

/** Files of marks that this process writes: it is alive. */
const own = new Set<string>();

/** Returns true if this process writes a file of marks. */
export const isOwnMarkFile = (file: string): boolean => own.has(file);

/**
 * Notes the calls of providers that are under way in this process, in a file that survives it. A provider that ends the
 * process by a signal is thus known afterwards. The file is written before a call is made, and is not synced. It is
 * removed at each end of the process except a sudden one. After a sudden end, a shell shows its content on our stderr.
 */
export class CallMarks {
  #file: { readonly path: string; readonly descriptor: number; readonly firstCall: number } | undefined;
  #endWitness: (() => void) | undefined;
  readonly #free = Array.from({ length: SLOTS }, (_, index) => SLOTS - 1 - index);
  readonly #atExit = () => this.close();

  /** Opens the file. If it cannot be created in the folder, nothing is noted. */
  constructor(directory: string) {
    const path = join(directory, `${process.pid}-${randomUUID()}`);
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const { text, firstCall } = newMarks({ pid: process.pid, host: hostname() });
      const descriptor = openSync(path, 'wx', 0o600);
      this.#file = { path, descriptor, firstCall };
      own.add(path);
      writeSync(descriptor, text);
    } catch {
      this.close();
      return;
    }
    process.on('exit', this.#atExit);
    this.#endWitness = startWitness(path);
  }

  /** Makes calls of a provider, `name@version` of its package, and notes them. */
  around(provider: string): Around {
    return (name, urn, call) => {
      const slot = this.#file === undefined ? undefined : this.#free.pop();
      if (slot === undefined) return call();
      const answer = this.#noted(
        slot,
        { provider, call: urn === undefined ? name : `${name} of ${urn}` },
        call,
      );
      const end = (): void => this.#end(slot);
      answer.then(end, end);
      return answer;
    };
  }

  /** Makes the call. One that throws instead of returning a promise is rejected, so that its note ends. */
  #noted<T>(slot: number, noted: MarkedCall, call: () => Promise<T>): Promise<T> {
    this.#write(slot, callLine(noted));
    try {
      return call();
    } catch (thrown) {
      return Promise.reject(thrown as Error);
    }
  }

  #end(slot: number): void {
    this.#write(slot, FREE_LINE);
    this.#free.push(slot);
  }

  #write(slot: number, line: Uint8Array): void {
    if (this.#file === undefined) return;
    try {
      writeSync(this.#file.descriptor, line, 0, WIDTH, this.#file.firstCall + slot * WIDTH);
    } catch {
      // A call that cannot be noted is not known after a crash. The call continues.
    }
  }

  /** Removes the file: this process has not crashed. Never throws. */
  close(): void {
    process.off('exit', this.#atExit);
    if (this.#file !== undefined) {
      const { path, descriptor } = this.#file;
      this.#file = undefined;
      own.delete(path);
      for (const remove of [() => unlinkSync(path), () => closeSync(descriptor)]) {
        try {
          remove();
        } catch {
          // Another process has removed it.
        }
      }
    }
    this.#endWitness?.();
  }
}
