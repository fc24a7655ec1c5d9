// Loaded before a measured program: prints at its end, in one line on file descriptor 3, the processor time and the
// peak memory of the process, and the memory that it then still holds.
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const peakKb = process.resourceUsage().maxRSS;
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  writeSync(
    3,
    `${JSON.stringify({ cpuMs: (user + system) / 1000, peakKb, heldKb: (heapUsed + external) / 1024 })}\n`,
  );
});
