import { spawn } from 'node:child_process';

/**
 * Waits for the end of its input, which comes with the end of whoever started it, and writes the marked lines of the
 * file to stderr if there is one and a line between the first two and the last is not blank.
 */
const SCRIPT = `
while read -r _; do :; done
[ -f "$1" ] || exit 0
sed -n '3,$p' "$1" | sed '$d' | grep -q '[^ ]' || exit 0
[ -t 2 ] && printf '\\033[?25h\\n' >&2
sed -n '2,$p' "$1" | grep '[^ ]' | sed 's/ *$//' >&2
exit 0
`;

/**
 * Starts a small shell that outlives this process for an instant: if the file is still there then, it shows what the
 * file says, from its second line on without blank lines, on our stderr. It says nothing when only the second and the
 * last line are not blank. The returned function ends it. Without a shell nothing is shown.
 */
export function startWitness(file: string): () => void {
  if (process.platform === 'win32') return () => undefined;
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'sh', file], {
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    // Signals that are meant for our group do not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  shell.on('error', () => undefined);
  shell.stdin?.on('error', () => undefined);
  shell.unref();
  (shell.stdin as unknown as { unref(): void } | null)?.unref();
  return () => void shell.stdin?.end();
}
