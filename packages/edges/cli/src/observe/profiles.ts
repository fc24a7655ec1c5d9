import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { Look } from './look.js';

/** Default number of bytes between two samples of the heap, as in V8. */
const HEAP_BYTES = 32 * 1024;

/**
 * Measures the use of time and memory in this process until it is closed. Then it writes `<prefix>.<pid>.cpuprofile`
 * and `<prefix>.<pid>.heapprofile`, which browsers' developer tools open. Fails (CAIRN-USAGE) if there is no such
 * folder.
 */
export async function startProfiles(wanted: {
  readonly prefix: string;
  readonly heapBytes: number | undefined;
}): Promise<Look> {
  const file = (kind: string): string => `${wanted.prefix}.${process.pid}.${kind}`;
  save(file('cpuprofile'), '');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await session.post('HeapProfiler.enable');
  await session.post('HeapProfiler.startSampling', { samplingInterval: wanted.heapBytes ?? HEAP_BYTES });
  return {
    close: async () => {
      const time = await session.post('Profiler.stop');
      const memory = await session.post('HeapProfiler.stopSampling');
      session.disconnect();
      save(file('cpuprofile'), JSON.stringify(time.profile));
      save(file('heapprofile'), JSON.stringify(memory.profile));
      return undefined;
    },
  };
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw cairnError(
      'CAIRN-USAGE',
      `cannot write the profile ${file}`,
      { causes: [messageOf(error)], hint: 'Pass --profiling with the beginning of a file name.' },
      error,
    );
  }
}
