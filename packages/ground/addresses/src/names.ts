import { AddressError } from './address-error.js';

const NAME = /^[A-Za-z0-9_.-]{1,100}$/;
const NAME_RULE = 'use 1 to 100 letters, digits, "_", "." or "-"';

/** A stack as a user may write it: bare, `organization/stack` or `organization/project/stack` [ADDR-5]. */
export interface StackReference {
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly stack: string;
}

/** Tells whether the text follows the grammar of stack and project names [ADDR-4]. */
export function isName(text: string): boolean {
  return NAME.test(text) && text !== '.' && text !== '..';
}

/** Returns the name, or throws {@link AddressError}. */
export function checkStackName(text: string): string {
  if (!isName(text)) throw new AddressError('stack name', text, NAME_RULE);
  return text;
}

/** Parses one, two or three `/`-separated parts; throws {@link AddressError} on any other count or a bad name. */
export function parseStackReference(text: string): StackReference {
  const parts = text.split('/');
  for (const part of parts) {
    if (!isName(part))
      throw new AddressError('stack reference', text, `"${part}" is not a name: ${NAME_RULE}`);
  }
  const [first, second, third] = parts;
  if (first === undefined || parts.length > 3) {
    throw new AddressError(
      'stack reference',
      text,
      'expected stack, organization/stack or organization/project/stack',
    );
  }
  if (third !== undefined) return { organization: first, project: second, stack: third };
  if (second !== undefined) return { organization: first, stack: second };
  return { stack: first };
}

/** Returns the text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
