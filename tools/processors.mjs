import { availableParallelism } from 'node:os';

/** Number of processors that a command may keep busy: CAIRN_TEST_WORKERS, or all that there are. */
export function processors() {
  const text = process.env.CAIRN_TEST_WORKERS;
  if (text === undefined) return availableParallelism();
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`CAIRN_TEST_WORKERS must be a whole number, not "${text}"`);
  return Number(text);
}
