import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { ApiFailure } from '../api/client.js';
import { Failure } from './basics.js';
import { h } from './h.js';

interface ConfirmProps {
  readonly title: string;
  /** Verb of the button that does it. */
  readonly verb: string;
  readonly children: ComponentChildren;
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
}

/** Dialog that says what an action will do before it is done. A refusal stays in the dialog. */
export function Confirm({ title, verb, children, run, onClose }: ConfirmProps): VNode {
  const box = useRef<HTMLDialogElement>(null);
  const failure = useSignal<ApiFailure | undefined>(undefined);
  const isBusy = useSignal(false);
  useLayoutEffect(() => box.current?.showModal(), []);
  const confirm = async (): Promise<void> => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      await run();
      box.current?.close();
    } catch (thrown) {
      if (!(thrown instanceof ApiFailure)) throw thrown;
      failure.value = thrown;
    } finally {
      isBusy.value = false;
    }
  };
  return h('dialog', { ref: box, 'aria-label': title, onClose }, [
    h('h2', null, title),
    children,
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: verb.toLowerCase() }),
    h('div', { class: 'actions' }, [
      h('button', { type: 'button', class: 'danger', disabled: isBusy.value, onClick: confirm }, verb),
      h('button', { type: 'button', onClick: () => box.current?.close() }, 'Do nothing'),
    ]),
  ]);
}

interface PlainProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** Dialog that says something and does nothing. */
export function Plain({ title, children, onClose }: PlainProps): VNode {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => box.current?.showModal(), []);
  return h('dialog', { ref: box, 'aria-label': title, onClose }, [
    h('h2', null, title),
    children,
    h('div', { class: 'actions' }, [
      h('button', { type: 'button', onClick: () => box.current?.close() }, 'Close'),
    ]),
  ]);
}
