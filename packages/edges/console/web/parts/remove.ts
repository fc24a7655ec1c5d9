import { Fragment } from 'preact';
import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import { Name } from './basics.js';
import { Confirm } from './confirm.js';
import { rowButton } from './fields.js';
import { h } from './h.js';

interface RemoveProps {
  /** Name of what is removed. */
  readonly about: string;
  /** Sentence that says what is no more afterwards. */
  readonly effect: string;
  readonly run: () => Promise<unknown>;
  readonly onDone: () => void;
}

/** Button that removes something, after a question. */
export function RemoveButton({ about, effect, run, onDone }: RemoveProps): VNode {
  const isAsked = useSignal(false);
  const remove = async (): Promise<void> => {
    await run();
    onDone();
  };
  return h(Fragment as () => VNode, {}, [
    rowButton('Remove', about, () => (isAsked.value = true)),
    isAsked.value
      ? h(
          Confirm,
          { title: `Remove ${about}`, verb: 'Remove', run: remove, onClose: () => (isAsked.value = false) },
          h('p', null, h(Name, { text: effect })),
        )
      : null,
  ]);
}
