import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** A process of a run. */
export interface Found {
  readonly pid: number;
  readonly parent: number;
  readonly line: string;
}

/** A command that runs in a process group of its own. */
export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Returns its output so far, of both streams. */
  readonly said: () => string;
}

/** End and output of a command. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a line as a shell would, as the leader of a process group. */
export function start(line: string, cwd: string, env: Readonly<Record<string, string>>): Started {
  const child = spawn('/bin/sh', ['-c', `exec ${line}`], {
    ...{ cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const end = (): void => resolve({ code, signal, stdout, stderr });
      child.once('close', end);
      // Processes that it has started may outlive it and hold its pipes open.
      setTimeout(end, 500).unref();
    });
  });
  return { child, pid: child.pid ?? 0, ended, said: () => stdout + stderr };
}

/** The processes that carry `mark` in their environment, and are not ended. Linux only. */
export function marked(mark: string): readonly Found[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'utf8').includes(mark)) return [];
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z') return [];
        readlinkSync(`/proc/${name}/exe`);
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), parent: Number(parent), line }];
      } catch {
        return []; // It has ended meanwhile.
      }
    });
}

/** Sends a signal to a process, or to a group when the number is negative. One that has ended is no error. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
