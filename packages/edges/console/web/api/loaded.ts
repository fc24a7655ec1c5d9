import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { AnswerOrder } from '../../src/model/answer-order.js';
import { ApiFailure, call } from './client.js';
import { checkSession } from './session.js';

/** State of something that a view loads. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly failure: ApiFailure | undefined;
}

/** Time after which a page asks again where the service has not answered, in milliseconds. */
export const AGAIN_MS = 3000;

/** Returns true for a failure that passes by itself: no answer, or a service that is busy. */
export function isPassing({ status }: ApiFailure): boolean {
  return status === 0 || status === 503;
}

/**
 * Loads what is at an address of the service, again whenever the address changes or `reload` is called, and until the
 * service answers. What was loaded stays until there is something newer.
 */
export function useLoaded<T>(path: string | undefined): {
  readonly loaded: ReadonlySignal<Loaded<T>>;
  reload(): void;
} {
  const loaded = useSignal<Loaded<T>>({ value: undefined, failure: undefined });
  const current = useRef<string | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const order = useRef(new AnswerOrder());
  const load = (): void => {
    const wanted = current.current;
    clearTimeout(timer.current);
    if (wanted === undefined) return;
    const request = order.current.begin();
    const isWanted = (): boolean => current.current === wanted && order.current.take(request);
    call<T>('GET', wanted).then(
      (value) => {
        if (isWanted()) loaded.value = { value, failure: undefined };
      },
      (failure: unknown) => {
        if (!(failure instanceof ApiFailure)) throw failure;
        if (failure.status === 401) void checkSession();
        if (!isWanted()) return;
        loaded.value = { value: loaded.value.value, failure };
        if (isPassing(failure)) timer.current = setTimeout(load, AGAIN_MS);
      },
    );
  };
  useEffect(() => {
    if (current.current?.split('?')[0] !== path?.split('?')[0])
      loaded.value = { value: undefined, failure: undefined };
    current.current = path;
    load();
    return () => {
      clearTimeout(timer.current);
      current.current = undefined;
    };
  }, [path]);
  return { loaded, reload: load };
}
