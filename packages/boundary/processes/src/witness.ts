import { spawn } from 'node:child_process';

/**
 * Script of the witness. Waits for the end of its input, which comes with the end of the process that started it. If
 * the file exists and a line between the first two and the last is not blank, it writes the file to stderr, from its
 * second line on and without blank lines.
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
 * Starts a small shell that outlives this process for an instant. If the file still exists then, the shell writes it to
 * our stderr, from its second line on and without blank lines. It writes nothing when only the second and the last line
 * are not blank. The returned function ends the shell. Without a shell nothing is shown.
 */
export function startWitness(file: string): () => void {
  if (process.platform === 'win32') return () => undefined;
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'sh', file], {
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    // Signals meant for our group do not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  shell.on('error', () => undefined);
  shell.stdin?.on('error', () => undefined);
  shell.unref();
  (shell.stdin as unknown as { unref(): void } | null)?.unref();
  return () => void shell.stdin?.end();
}
