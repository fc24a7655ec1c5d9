import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { ApiFailure, call } from './client.js';
import { checkSession } from './session.js';

/** State of something that a view loads. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly failure: ApiFailure | undefined;
}

/**
 * Loads what is at an address of the service, again whenever the address changes or `reload` is called. What was loaded
 * stays until there is something newer.
 */
export function useLoaded<T>(path: string | undefined): {
  readonly loaded: ReadonlySignal<Loaded<T>>;
  reload(): void;
} {
  const loaded = useSignal<Loaded<T>>({ value: undefined, failure: undefined });
  const current = useRef<string | undefined>(undefined);
  const load = (): void => {
    const wanted = current.current;
    if (wanted === undefined) return;
    call<T>('GET', wanted).then(
      (value) => {
        if (current.current === wanted) loaded.value = { value, failure: undefined };
      },
      (failure: unknown) => {
        if (!(failure instanceof ApiFailure)) throw failure;
        if (failure.status === 401) void checkSession();
        if (current.current === wanted) loaded.value = { value: loaded.value.value, failure };
      },
    );
  };
  useEffect(() => {
    if (current.current?.split('?')[0] !== path?.split('?')[0])
      loaded.value = { value: undefined, failure: undefined };
    current.current = path;
    load();
    return () => {
      current.current = undefined;
    };
  }, [path]);
  return { loaded, reload: load };
}
