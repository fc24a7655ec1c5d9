import type { BlobStore, PutResult, Segment } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import type { ErrorCode } from '@cairn/diagnostics';

/** Calls of a store. `append` is a call of one of its segments. */
export type StoreCall =
  'get' | 'put' | 'list' | 'delete' | 'copy' | 'openSegment' | 'append' | 'fenceSegment';

const WRITES: readonly StoreCall[] = ['put', 'delete', 'copy', 'openSegment', 'append', 'fenceSegment'];

/**
 * Kind of failure of a call. `before`: nothing has happened. `after`: it has happened, and the answer is lost. `torn`:
 * a part of the appended bytes is there. `condition`: a write with a condition is answered as if the condition did not
 * hold, though it does.
 */
export type Manner = 'before' | 'after' | 'torn' | 'condition';

/** One kind of fault. `code` is that of the resulting error. */
export interface StoreFault {
  readonly code: ErrorCode;
  readonly manner: Manner;
  /** Calls in which it can happen. Defaults to all. */
  readonly calls?: readonly StoreCall[];
  /** True if every call from the first time on fails, instead of one call only. */
  readonly forGood?: boolean;
}

/** Store that fails, and reports the progress of its script. */
export interface FaultyStore extends BlobStore {
  /** Returns the call in which the fault has happened, if it has. */
  readonly struck: () => { readonly call: StoreCall; readonly key: string } | undefined;
  /** Number of calls so far in which the fault could have happened. */
  readonly calls: () => number;
}

/**
 * Returns the store with one fault at the call of that number, counted from 0 among the calls in which it can happen.
 */
export function faultyStore(inner: BlobStore, fault: StoreFault, at: number): FaultyStore {
  let count = 0;
  let struck: { call: StoreCall; key: string } | undefined;
  const strikes = (call: StoreCall, key: string, conditional: boolean): boolean => {
    if (fault.calls !== undefined && !fault.calls.includes(call)) return false;
    if (fault.manner === 'condition' && !conditional) return false;
    if (fault.manner === 'torn' && call !== 'append') return false;
    count += 1;
    if (count <= at || (struck !== undefined && fault.forGood !== true)) return false;
    struck ??= { call, key };
    return true;
  };
  const failure = (call: StoreCall, key: string): Error =>
    cairnError(fault.code, `cannot ${call} "${key}": the store fails`, {
      causes: ['the test says so'],
      hint: 'See to the store.',
    });
  const play = async <T>(call: StoreCall, key: string, work: () => Promise<T>): Promise<T> => {
    if (!strikes(call, key, false)) return work();
    if (fault.manner === 'after') await work();
    throw failure(call, key);
  };
  const put = async (...given: Parameters<BlobStore['put']>): Promise<PutResult> => {
    const [key, , condition = {}] = given;
    const conditional = condition.ifAbsent === true || condition.ifVersion !== undefined;
    if (fault.manner !== 'condition') return play('put', key, () => inner.put(...given));
    if (!strikes('put', key, conditional)) return inner.put(...given);
    return { ok: false, reason: condition.ifAbsent === true ? 'exists' : 'changed' };
  };
  const segment = (opened: Segment): Segment => {
    let broken: Error | undefined;
    return {
      key: opened.key,
      get durableSize() {
        return opened.durableSize;
      },
      append: async (bytes) => {
        if (broken !== undefined) throw broken;
        if (!strikes('append', opened.key, false)) return opened.append(bytes);
        broken = failure('append', opened.key);
        if (fault.manner === 'torn') await opened.append(bytes.subarray(0, Math.ceil(bytes.length / 2)));
        if (fault.manner === 'after') await opened.append(bytes);
        throw broken;
      },
      close: () => opened.close(),
    };
  };
  return {
    ...inner,
    struck: () => struck,
    calls: () => count,
    get: (key) => play('get', key, () => inner.get(key)),
    put,
    list: (prefix) => play('list', prefix, () => inner.list(prefix)),
    delete: (key, condition) => play('delete', key, () => inner.delete(key, condition)),
    copy: (from, to, condition) => play('copy', to, () => inner.copy(from, to, condition)),
    openSegment: async (key, options) => {
      const opened = await play('openSegment', key, () => inner.openSegment(key, options));
      return opened.ok ? { ok: true, segment: segment(opened.segment) } : opened;
    },
    fenceSegment: (key) => play('fenceSegment', key, async () => inner.fenceSegment?.(key)),
  };
}

/** Faults of writing only. */
export const writing = { calls: WRITES } as const;
