import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import type { Stats } from 'node:fs';
import type { Diagnostic } from '@cairn/diagnostics';
import { homeDirectory } from './home.js';
import type { UserContext } from './home.js';

/** Mode bits that grant access to the group and others. */
const OTHERS = 0o077;
/** Mode bit of a folder in which all users may create files, such as `/tmp`. */
const STICKY = 0o1000;

/**
 * Makes the home a folder that only its user can open, before anything is written to it. It is created with mode 0700,
 * or closed if other users can open it [CFG-11]. Returns a warning for a home that was open. Never throws: code that
 * needs to write to the home reports the failure.
 */
export function openHome(context: UserContext): readonly Diagnostic[] {
  const home = homeDirectory(context);
  try {
    const found = lstatSync(home, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(home, { recursive: true, mode: 0o700 });
    else if (found.isDirectory() && isOpen(found)) return [closeHome(home, found, context)];
  } catch {
    // Reading and writing in the home fail with their own error.
  }
  return [];
}

/** Tells whether other users can open the home. Windows keeps homes private without Cairn. */
function isOpen({ mode }: Stats): boolean {
  return process.getuid !== undefined && (mode & OTHERS) !== 0;
}

/** Closes an open home, unless it belongs to another user or serves another purpose as well. */
function closeHome(home: string, found: Stats, { userHome }: UserContext): Diagnostic {
  const mode = (found.mode & 0o7777).toString(8).padStart(4, '0');
  const isShared = (found.mode & STICKY) !== 0 || home === userHome || found.uid !== process.getuid?.();
  const isClosed = !isShared && tryClose(home);
  return {
    severity: 'warning',
    code: 'CAIRN-HOME-OPEN',
    summary: isClosed
      ? `other users could open ${home} (mode ${mode}); its mode is now 0700`
      : `other users can open ${home} (mode ${mode})`,
    hint: isClosed
      ? 'Change passphrases and credentials in it if the machine has users whom you do not trust.'
      : `Name a folder of your own with CAIRN_HOME, or run \`chmod 700 ${home}\`.`,
  };
}

function tryClose(home: string): boolean {
  try {
    chmodSync(home, 0o700);
    return true;
  } catch {
    return false;
  }
}
