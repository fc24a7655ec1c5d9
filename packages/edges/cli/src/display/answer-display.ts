import type { EngineEvent, EngineResult } from '@cairn/engine';
import type { ProgramConfig } from '@cairn/workspace';
import { diagnosticLines } from '../terminal/report.js';
import type { ReportStyle } from '../terminal/report.js';
import type { Display } from './display.js';

/** One text for a whole pass, printed at its end. */
export interface Answer {
  /** Receives every event in order. */
  take(event: EngineEvent): void;
  /** Returns the text. Must be called once, after the last event. */
  text(result: EngineResult, program: ProgramConfig, page?: string): string;
}

/** Gathers an answer, for which stdout is reserved. Messages about interrupts go to stderr. */
export class AnswerDisplay implements Display {
  readonly #answer: Answer;
  readonly #write: (text: string) => void;
  readonly #faults: ReportStyle | undefined;

  /**
   * `write` writes to stderr. With `faults`, errors and warnings are written there when they happen, because the answer
   * has no room for them.
   */
  constructor(answer: Answer, write: (text: string) => void, faults?: ReportStyle) {
    this.#answer = answer;
    this.#write = write;
    this.#faults = faults;
  }

  event(event: EngineEvent): void {
    this.#answer.take(event);
    if (this.#faults === undefined || event.t !== 'diagnostic' || event.ephemeral) return;
    const { severity } = event.diagnostic;
    if (severity === 'error' || severity === 'warning')
      this.#write(`${diagnosticLines(event.diagnostic, 1, this.#faults).join('\n')}\n`);
  }

  say(line: string): void {
    this.#write(`${line}\n`);
  }

  close(): void {}

  answer(result: EngineResult, program: ProgramConfig, page?: string): string {
    return this.#answer.text(result, program, page);
  }
}
