import type { StackReference } from '@cairn/addresses';
import { isName, parseStackReference } from '@cairn/addresses';
import { fail } from '@cairn/diagnostics';
import type { Env } from './env.js';
import { envFlag } from './env.js';

const RULE = 'Use 1 to 100 letters, digits, "_", "." or "-".';

/**
 * Returns the stack name if it follows the grammar [ADDR-4]. `CAIRN_DISABLE_VALIDATION` or `PULUMI_DISABLE_VALIDATION`
 * lifts the grammar, but a name must still be one part of a path. Fails with `CAIRN-NAME-INVALID`.
 */
export function checkedStackName(text: string, env: Env): string {
  if (isName(text) || (envFlag(env, 'DISABLE_VALIDATION') && isOnePathPart(text))) return text;
  return fail('CAIRN-NAME-INVALID', `invalid stack name ${JSON.stringify(text)}`, { hint: RULE });
}

/**
 * Returns the project name if it follows the grammar, which is checked on creation, not on loading [ADDR-4]. Fails with
 * `CAIRN-NAME-INVALID`.
 */
export function checkedProjectName(text: string): string {
  return isName(text)
    ? text
    : fail('CAIRN-NAME-INVALID', `invalid project name ${JSON.stringify(text)}`, { hint: RULE });
}

/**
 * Parses a stack as a user names it: `stack`, `organization/stack` or `organization/project/stack` [ADDR-5]. Fails with
 * `CAIRN-NAME-INVALID`.
 */
export function checkedStackReference(text: string, env: Env): StackReference {
  const parts = text.split('/');
  if (parts.length === 1) return { stack: checkedStackName(text, env) };
  if (parts.length <= 3 && parts.every(isName)) return parseStackReference(text);
  return fail('CAIRN-NAME-INVALID', `invalid stack reference ${JSON.stringify(text)}`, {
    hint: `Write stack, organization/stack or organization/project/stack. ${RULE}`,
  });
}

function isOnePathPart(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !/[/\\\u0000-\u001f\u007f]/.test(text);
}
