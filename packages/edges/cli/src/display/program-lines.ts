import type { EngineEvent } from '@cairn/engine';

type ProgramOutput = Extract<EngineEvent, { readonly t: 'program-output' }>;
type Stream = ProgramOutput['stream'];

/** Severities in the exchange format for output of a program. */
const OUTPUT_SEVERITY: Readonly<Record<Stream, string>> = { stdout: 'info', stderr: 'info#err' };

/** A message made from the output of a program. */
export interface ProgramLine {
  readonly severity: string;
  readonly message: string;
}

/**
 * Converts output of a program to messages of the exchange format. Each line that is not empty makes one message, which
 * ends in two line breaks. A last piece without an end ends in one. Text arrives in pieces of any length.
 */
export class ProgramLines {
  readonly #begun = new Map<Stream, string>();

  /** Returns the lines that are now complete. */
  take({ stream, text }: ProgramOutput): readonly ProgramLine[] {
    const pieces = ((this.#begun.get(stream) ?? '') + text).split('\n');
    this.#begun.set(stream, pieces.pop() ?? '');
    return pieces
      .filter((line) => line !== '')
      .map((line) => ({ severity: OUTPUT_SEVERITY[stream], message: `${line}\n\n` }));
  }

  /** Returns the incomplete rest, which will not continue. */
  rest(): readonly ProgramLine[] {
    const left = [...this.#begun].filter(([, text]) => text !== '');
    this.#begun.clear();
    return left.map(([stream, text]) => ({ severity: OUTPUT_SEVERITY[stream], message: `${text}\n` }));
  }
}
