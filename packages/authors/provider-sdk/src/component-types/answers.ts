import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type tsModule from 'typescript';
import type ts from 'typescript';

/** The queries of a compiler to a file system, and the implementation of each. */
const QUESTIONS = {
  /** Returns the SHA-256 of the bytes, or null if the file cannot be read. */
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
  /** Returns the path without symbolic links. */
  real: (name: string): string => {
    try {
      return realpathSync.native(name);
    } catch {
      return name;
    }
  },
};

/** Answers of the file system, by query and path. The same answers result in the same types. */
export type TypeAnswers = {
  readonly [Q in keyof typeof QUESTIONS]: Readonly<Record<string, ReturnType<(typeof QUESTIONS)[Q]>>>;
};

/** A file system for a compiler that records its answers. */
export class NotedFiles {
  readonly #noted = { bytes: {}, isFile: {}, isDirectory: {}, directories: {}, real: {} } as {
    [Q in keyof TypeAnswers]: Record<string, TypeAnswers[Q][string]>;
  };
  readonly #api: typeof tsModule;

  constructor(api: typeof tsModule) {
    this.#api = api;
  }

  /** Answers to all queries up to this point. */
  get answers(): TypeAnswers {
    return this.#noted;
  }

  readonly readFile = (name: string): string | undefined => {
    this.#noted.bytes[name] = QUESTIONS.bytes(name);
    return this.#api.sys.readFile(name);
  };
  readonly fileExists = (name: string) => (this.#noted.isFile[name] ??= QUESTIONS.isFile(name));
  readonly directoryExists = (name: string) =>
    (this.#noted.isDirectory[name] ??= QUESTIONS.isDirectory(name));
  readonly getDirectories = (name: string) => [
    ...(this.#noted.directories[name] ??= QUESTIONS.directories(name)),
  ];
  readonly realpath = (name: string) => (this.#noted.real[name] ??= QUESTIONS.real(name));

  /** Returns a compiler's host on these files. */
  host(options: ts.CompilerOptions, directory: string): ts.CompilerHost {
    const { readFile, fileExists, directoryExists, getDirectories, realpath } = this;
    return {
      ...this.#api.createCompilerHost(options),
      ...{ readFile, fileExists, directoryExists, getDirectories, realpath },
      getCurrentDirectory: () => directory,
      getSourceFile: (name, version) => {
        const text = readFile(name);
        return text === undefined ? undefined : this.#api.createSourceFile(name, text, version);
      },
    };
  }
}

/** Tells whether the file system still gives the same answers. */
export function isSaidStill(answers: TypeAnswers): boolean {
  const same = <Q extends keyof TypeAnswers>(question: Q): boolean =>
    Object.entries(answers[question]).every(
      ([name, said]) => JSON.stringify(QUESTIONS[question](name)) === JSON.stringify(said),
    );
  return (Object.keys(QUESTIONS) as (keyof TypeAnswers)[]).every(same);
}

/** Returns the SHA-256 of the bytes of a file, or null if it cannot be read. */
export function hashOf(file: string): string | null {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return null;
  }
}
