import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { NEEDED_TO_SPAWN, haveFree } from '@cairn/retries';
import { killGroup } from './group-signals.js';

/**
 * Ensures that no group outlives this process, in two ways. At a normal exit it kills the groups that still exist.
 * Besides, a small shell of its own reads the groups' ids from a pipe and kills them when the pipe ends. The pipe also
 * ends when this process is killed without a chance to act. One shell serves the whole process.
 */
const groups = new Set<number>();
let shell: ChildProcess | undefined;

/** Prepares to guard a group that is about to start, so that guarding it takes no time once it runs. */
export function readyToGuard(): void {
  if (process.platform !== 'win32') shell ??= startShell();
}

/**
 * Puts a group under guard; it is guarded when this returns. The returned function ends that; call it when the group is
 * gone.
 */
export function guard(pid: number): () => void {
  if (groups.size === 0) process.on('exit', killAll);
  readyToGuard();
  groups.add(pid);
  tell(`add ${pid}`);
  return () => {
    if (!groups.delete(pid)) return;
    tell(`drop ${pid}`);
    if (groups.size === 0) process.off('exit', killAll);
  };
}

/**
 * Script of the shell; holds the ids as ` 12 34 `. At the end of the pipe it interrupts every group, waits a second,
 * and kills it. The shell leads another group, so signals meant for this process's group do not reach it.
 */
const SCRIPT = `
groups=' '
while read -r verb id; do
  case "$verb" in
    add) groups="$groups$id " ;;
    drop) groups="\${groups%% $id *} \${groups#* $id }" ;;
  esac
done
[ "$groups" = ' ' ] && exit 0
for id in $groups; do kill -s INT -- "-$id" 2>/dev/null; done
sleep 1
for id in $groups; do kill -s KILL -- "-$id" 2>/dev/null; done
exit 0
`;

function killAll(): void {
  for (const pid of groups) killGroup(pid);
}

function tell(line: string): void {
  readyToGuard();
  shell?.stdin?.write(`${line}\n`);
}

/** Starts the shell. Returns `undefined` if there are no descriptors left for it; the next group starts another one. */
function startShell(): ChildProcess | undefined {
  try {
    haveFree(NEEDED_TO_SPAWN);
  } catch {
    return undefined;
  }
  const started = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // The shell is a second net: without it (no /bin/sh) the first one still works.
  started.on('error', () => undefined);
  const input = started.stdin as Writable;
  input.on('error', () => undefined);
  started.once('exit', () => {
    if (shell === started) shell = undefined;
  });
  started.unref();
  (input as unknown as { unref(): void }).unref();
  for (const pid of groups) input.write(`add ${pid}\n`);
  return started;
}
