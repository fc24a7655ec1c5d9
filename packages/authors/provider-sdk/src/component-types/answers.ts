import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type tsModule from 'typescript';
import type ts from 'typescript';

/** The questions that a compiler asks a file system, and how this one answers. */
const QUESTIONS = {
  /** SHA-256 of the bytes; null: it cannot be read. */
  bytes: hashOf,
  isFile: (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isFile() ?? false,
  isDirectory: (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false,
  directories: (name: string): readonly string[] => {
    try {
      const below = readdirSync(name).sort();
      return below.filter((each) => QUESTIONS.isDirectory(path.join(name, each)));
    } catch {
      return [];
    }
  },
  /** Path without symbolic links. */
  real: (name: string): string => {
    try {
      return realpathSync.native(name);
    } catch {
      return name;
    }
  },
};

/** What the file system said, by question and path. The same answers make the same types. */
export type Answers = {
  readonly [Q in keyof typeof QUESTIONS]: Readonly<Record<string, ReturnType<(typeof QUESTIONS)[Q]>>>;
};

/** A file system for a compiler that notes what it answers. */
export class NotedFiles {
  readonly #noted = { bytes: {}, isFile: {}, isDirectory: {}, directories: {}, real: {} } as {
    [Q in keyof Answers]: Record<string, Answers[Q][string]>;
  };

  constructor(private readonly api: typeof tsModule) {}

  /** Of all that was asked until now. */
  get answers(): Answers {
    return this.#noted;
  }

  readonly readFile = (name: string): string | undefined => {
    this.#noted.bytes[name] = QUESTIONS.bytes(name);
    return this.api.sys.readFile(name);
  };
  readonly fileExists = (name: string) => (this.#noted.isFile[name] ??= QUESTIONS.isFile(name));
  readonly directoryExists = (name: string) =>
    (this.#noted.isDirectory[name] ??= QUESTIONS.isDirectory(name));
  readonly getDirectories = (name: string) => [
    ...(this.#noted.directories[name] ??= QUESTIONS.directories(name)),
  ];
  readonly realpath = (name: string) => (this.#noted.real[name] ??= QUESTIONS.real(name));

  /** A compiler's host on these files. */
  host(options: ts.CompilerOptions, directory: string): ts.CompilerHost {
    const { readFile, fileExists, directoryExists, getDirectories, realpath } = this;
    return {
      ...this.api.createCompilerHost(options),
      ...{ readFile, fileExists, directoryExists, getDirectories, realpath },
      getCurrentDirectory: () => directory,
      getSourceFile: (name, version) => {
        const text = readFile(name);
        return text === undefined ? undefined : this.api.createSourceFile(name, text, version);
      },
    };
  }
}

/** Whether the file system says today what it said then. */
export function isSaidStill(answers: Answers): boolean {
  const same = <Q extends keyof Answers>(question: Q): boolean =>
    Object.entries(answers[question]).every(
      ([name, said]) => JSON.stringify(QUESTIONS[question](name)) === JSON.stringify(said),
    );
  return (Object.keys(QUESTIONS) as (keyof Answers)[]).every(same);
}

/** SHA-256 of the bytes of a file; null: it cannot be read. */
export function hashOf(file: string): string | null {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return null;
  }
}
