import { CairnError } from '@cairn/diagnostics';
import type { ErrorCode } from '@cairn/diagnostics';
import { MATCHED_TEXTS, RefusedBody } from '@cairn/http-api';
import * as v from 'valibot';

/** Answer that is no success. */
interface RefusedCall {
  readonly url: string;
  /** Object of the sentence `cannot …`. */
  readonly verb: string;
  readonly status: number;
  readonly body: string;
  /** Id of the request, which the operator of the service finds in its log. */
  readonly requestId?: string | undefined;
  /** Wait that the service asks for, in milliseconds. */
  readonly afterMs?: number | undefined;
}

/** Refusal of a service. `status` is the code in the body if there is one, and `text` the message for the user. */
export class ServiceRefusal extends CairnError {
  readonly status: number;
  readonly text: string;
  readonly afterMs: number | undefined;

  constructor(call: RefusedCall) {
    const answered = said(call);
    const { status, text } = answered;
    const { code, hint } = meaning(answered);
    const id = status >= 500 && call.requestId !== undefined ? [`request ${call.requestId}`] : [];
    const answer = `${call.url} answered ${status}${text === '' ? '' : `: ${text}`}`;
    super([{ severity: 'error', code, summary: `cannot ${call.verb}: ${answer}`, causes: id, hint }]);
    this.status = status;
    this.text = text;
    this.afterMs = call.afterMs;
  }
}

/** Longest part of an answer that an error quotes. */
const LONGEST_QUOTE = 500;

interface Said {
  readonly status: number;
  readonly text: string;
  /** True if the body has the form of the protocol, so that a state service wrote it. */
  readonly byService: boolean;
}

/** Clients decide by the code in the body. Any other body is a text. */
function said({ status, body }: RefusedCall): Said {
  const text = body.trim().slice(0, LONGEST_QUOTE);
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { status, text, byService: false };
  }
  const refused = v.safeParse(RefusedBody, json);
  return refused.success
    ? {
        status: refused.output.code,
        text: refused.output.message.slice(0, LONGEST_QUOTE),
        byService: true,
      }
    : { status, text, byService: false };
}

function meaning({ status, text, byService }: Said): { readonly code: ErrorCode; readonly hint: string } {
  if (status === 401)
    return {
      code: 'CAIRN-STORE-CREDENTIALS',
      hint: 'Create an access token at the service, then run `cairn login` with it.',
    };
  if (status === 403)
    return { code: 'CAIRN-STORE-DENIED', hint: 'Ask an administrator of the service for the missing role.' };
  if (status === 409 && text.includes(MATCHED_TEXTS.anotherUpdate))
    return {
      code: 'CAIRN-STATE-LOCKED',
      hint:
        'Run the command again when the other operation is done, or wait for it with --wait-for-lock. ' +
        'A state service runs one operation on a stack at a time, whatever its targets.',
    };
  if (status === 409) return { code: 'CAIRN-STORE-CONFLICT', hint: 'Run the command again.' };
  if (status === 429 || status >= 500)
    return { code: 'CAIRN-STORE-UNAVAILABLE', hint: 'Run the command again when the service is available.' };
  if (byService && status === 404)
    return {
      code: 'CAIRN-STORE-FAILED',
      hint: 'Check the name, and that your user may see it. Then check the address of the service.',
    };
  if (byService)
    return {
      code: 'CAIRN-STORE-FAILED',
      hint: 'Change what the service refuses, then run the command again.',
    };
  return {
    code: 'CAIRN-STORE-FAILED',
    hint: 'Check the address of the service, and that it is a state service.',
  };
}
