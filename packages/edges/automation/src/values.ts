import { inspect } from 'node:util';
import { SECRET_TEXT } from '@cairn/values';

/** What JSON has. Secrets are the text `[secret]`; what a preview cannot know is a text of its own. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/**
 * An output of a stack. A secret one shows itself only where `value` is asked for: logs and JSON have `[secret]`.
 */
export class StackOutput<T = unknown> {
  readonly #value: T;
  /** Whether the value is, or has, a secret. */
  readonly secret: boolean;

  constructor(value: T, secret: boolean) {
    this.#value = value;
    this.secret = secret;
  }

  /** The value itself, also of a secret. */
  get value(): T {
    return this.#value;
  }

  /** What JSON has of it. */
  toJSON(): { readonly value: T | string; readonly secret: boolean } {
    return { value: this.secret ? SECRET_TEXT : this.#value, secret: this.secret };
  }

  /** What Node shows of it. */
  [inspect.custom](): object {
    return this.toJSON();
  }
}
