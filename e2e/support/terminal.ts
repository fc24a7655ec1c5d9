import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { cairnCommand } from './cairn.js';
import type { Sandbox } from './cairn.js';

/** Keys as a terminal sends them. */
export const KEYS = { enter: '\r', up: '\u001b[A', down: '\u001b[B', interrupt: '\u0003' } as const;

/** A command on a terminal of its own. */
export interface OnTerminal {
  /** Sends keys as if they had been typed. */
  type(keys: string): void;
  /** Resolves when the output since the last key matches; rejects with the screen if the command ends before. */
  shown(text: string | RegExp): Promise<void>;
  readonly finished: Promise<{ readonly code: number | null; readonly screen: string }>;
  /** Changes the size of the terminal and notifies the command. */
  resize(columns: number, rows: number): void;
  /** Everything that was sent to the terminal, with escapes. */
  raw(): string;
}

/** Why there are no terminals on this machine; undefined: there are. */
export function whyNoTerminals(): string | undefined {
  const found = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return found.status === 0 && /util-linux/.test(found.stdout) ? undefined : 'needs `script` of util-linux';
}

/** Runs `cairn`, or another program, on a pseudo terminal, interactive; stdout and stderr are both it. */
export function onTerminal(
  box: Sandbox,
  words: readonly string[],
  options: {
    readonly columns?: number;
    readonly rows?: number;
    readonly env?: Record<string, string | undefined>;
    /** Default: `cairn`. */
    readonly program?: readonly string[];
    /** Receives output to the terminal as it comes. */
    readonly onData?: (chunk: string) => void;
  } = {},
): OnTerminal {
  const name = path.join(box.home, 'terminal');
  const size = `tty > ${quoted(name)}; stty rows ${options.rows ?? 40} cols ${options.columns ?? 100}`;
  const line = [...(options.program ?? [process.execPath, cairnCommand]), ...words].map(quoted).join(' ');
  const child = spawn('script', ['-q', '-e', '-f', '-c', `${size}; exec ${line}`, '/dev/null'], {
    cwd: box.directory,
    env: {
      ...box.env,
      CI: undefined,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      SHELL: '/bin/sh',
      ...options.env,
    } as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let raw = '';
  let since = 0;
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    raw += chunk;
    options.onData?.(chunk);
    for (const check of waiting) check();
  });
  const finished = new Promise<{ code: number | null; screen: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, screen: stripVTControlCharacters(raw) }));
  });
  return {
    finished,
    raw: () => raw,
    resize(columns, rows) {
      const terminal = readFileSync(name, 'utf8').trim();
      execFileSync('stty', ['-F', terminal, 'rows', String(rows), 'cols', String(columns)]);
    },
    type(keys) {
      since = raw.length;
      child.stdin.write(keys);
    },
    shown: (wanted) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const text = stripVTControlCharacters(raw.slice(since));
          if (typeof wanted === 'string' ? !text.includes(wanted) : !wanted.test(text)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        void finished.then(({ code, screen }) =>
          reject(new Error(`ended with ${code} before showing ${String(wanted)}:\n${screen}`)),
        );
        check();
      }),
  };
}

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
