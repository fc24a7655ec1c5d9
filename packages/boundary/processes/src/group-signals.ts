import { spawnSync } from 'node:child_process';

/** Sends a signal to every process of a group. A group that is gone is not an error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    // Windows has neither groups nor interrupts for a process without a console, so an interrupt ends the tree.
    killGroup(pid);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Kills every process of a group at once. */
export function killGroup(pid: number): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  signalGroup(pid, 'SIGKILL');
}

/** ESRCH: there is no such group. EPERM: macOS reports it for a group that only contains a zombie. */
function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ESRCH' || code === 'EPERM';
}
