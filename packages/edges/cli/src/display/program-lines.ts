import type { EngineEvent } from '@cairn/engine';

type ProgramOutput = Extract<EngineEvent, { readonly t: 'program-output' }>;
type Stream = ProgramOutput['stream'];

/** What the exchange format calls output of a program. */
const OUTPUT_SEVERITY: Readonly<Record<Stream, string>> = { stdout: 'info', stderr: 'info#err' };

/** A message made of what a program has written. */
export interface ProgramLine {
  readonly severity: string;
  readonly message: string;
}

/**
 * What a program writes, as messages of the exchange format: one for each line that is not empty, which ends in two
 * line breaks; a last piece without an end has one. Text comes in pieces of any length.
 */
export class ProgramLines {
  readonly #begun = new Map<Stream, string>();

  /** The lines that are whole now. */
  take({ stream, text }: ProgramOutput): readonly ProgramLine[] {
    const pieces = ((this.#begun.get(stream) ?? '') + text).split('\n');
    this.#begun.set(stream, pieces.pop() ?? '');
    return pieces
      .filter((line) => line !== '')
      .map((line) => ({ severity: OUTPUT_SEVERITY[stream], message: `${line}\n\n` }));
  }

  /** What has been begun and will not go on. */
  rest(): readonly ProgramLine[] {
    const left = [...this.#begun].filter(([, text]) => text !== '');
    this.#begun.clear();
    return left.map(([stream, text]) => ({ severity: OUTPUT_SEVERITY[stream], message: `${text}\n` }));
  }
}
