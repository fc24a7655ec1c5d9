import type { VNode } from 'preact';
import type { Signal } from '@preact/signals';
import { h } from './h.js';

interface TextFieldProps {
  readonly label: string;
  readonly text: Signal<string>;
  /** Defaults to `text`. */
  readonly type?: 'text' | 'password' | 'url';
  /** Id of a list of texts that the field offers. */
  readonly list?: string;
  /** Word by which a browser knows the text. Defaults to one that it does not keep. */
  readonly autocomplete?: 'username' | 'current-password' | 'new-password';
}

/** Field for a text, which is stored with each key. */
export function TextField(props: TextFieldProps): VNode {
  const { label, text, type = 'text', list, autocomplete = 'off' } = props;
  return h('input', {
    ...{ type, 'aria-label': label, placeholder: label, value: text.value, autocomplete },
    ...(list !== undefined && { list }),
    onInput: (event: Event) => (text.value = (event.currentTarget as HTMLInputElement).value),
  });
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}

/** Field for one of several values. */
export function Choice({ label, value, options, onChoose }: ChoiceProps): VNode {
  return h(
    'select',
    {
      ...{ 'aria-label': label, value },
      onChange: (event: Event) => onChoose((event.currentTarget as HTMLSelectElement).value),
    },
    options.map(([each, text]) => h('option', { key: each, value: each, selected: each === value }, text)),
  );
}

/** Box that is checked or not, with its words beside it. */
export function Check({ label, isOn }: { readonly label: string; readonly isOn: Signal<boolean> }): VNode {
  return h('label', { class: 'choice' }, [
    h('input', {
      ...{ type: 'checkbox', checked: isOn.value },
      onChange: (event: Event) => (isOn.value = (event.currentTarget as HTMLInputElement).checked),
    }),
    label,
  ]);
}

/** Small button of a row. `about` names the row for those who do not see it. */
export function rowButton(text: string, about: string, onClick: () => void): VNode {
  return h(
    'button',
    { type: 'button', class: 'small', key: text, 'aria-label': `${text} ${about}`, onClick },
    text,
  );
}
