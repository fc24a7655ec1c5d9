import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Young objects of a thread, in MB. Operations make many that do not last, and each collection stops the thread. */
const YOUNG_MB = 96;

/**
 * Starts a thread that answers one question at a time, so that its loaded and compiled code serves all of them. A
 * question fails if the thread ends, or takes longer than `seconds`.
 */
export function askedThread(url, data, seconds) {
  const limits = { maxYoungGenerationSizeMb: YOUNG_MB };
  const worker = new Worker(url, { workerData: data, resourceLimits: limits });
  const ended = once(worker, 'exit').then(([code]) =>
    Promise.reject(new Error(`its thread ended with ${code}`)),
  );
  ended.catch(() => undefined);
  const ask = async (question) => {
    worker.postMessage(question);
    const signal = seconds === undefined ? undefined : AbortSignal.timeout(seconds * 1000);
    const [answer] = await Promise.race([once(worker, 'message', { signal }), ended]);
    return answer;
  };
  return { ask, end: () => worker.terminate() };
}
