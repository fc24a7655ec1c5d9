import { inspect } from 'node:util';
import { SECRET_TEXT } from '@cairn/values';

/** A JSON value. Secrets are the text `[secret]`; values that a preview cannot know have a text of their own. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined };

/** An output of a stack. A secret is revealed only by `value`; logs and JSON contain `[secret]`. */
export class StackOutput<T = unknown> {
  readonly #value: T;
  /** True if the value is or contains a secret. */
  readonly secret: boolean;

  constructor(value: T, secret: boolean) {
    this.#value = value;
    this.secret = secret;
  }

  /** The value itself, even if it is secret. */
  get value(): T {
    return this.#value;
  }

  /** Returns its form in JSON. */
  toJSON(): { readonly value: T | string; readonly secret: boolean } {
    return { value: this.secret ? SECRET_TEXT : this.#value, secret: this.secret };
  }

  /** Returns its form in output of Node. */
  [inspect.custom](): object {
    return this.toJSON();
  }
}
