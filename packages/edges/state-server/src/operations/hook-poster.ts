import { cairnError } from '@cairn/diagnostics';
import { networksOf, publicPoster } from '@cairn/http-api/hooks';
import type { PostHook } from '@cairn/http-api/hooks';

/**
 * Returns the function that posts to webhooks: to public addresses, and to those in the networks that the operator
 * allows. Fails with `CAIRN-USAGE` for a text that is no network.
 */
export function hookPoster(allowed: readonly string[], version: string, answerMs?: number): PostHook {
  return publicPoster({
    isAllowed: networksOf(allowed, noNetwork),
    version,
    hint: 'An operator allows its network with --webhooks-to.',
    answerMs,
  });
}

function noNetwork(text: string): Error {
  return cairnError('CAIRN-USAGE', `cannot send webhooks to ${JSON.stringify(text)}: it is not a network`, {
    hint: 'Give --webhooks-to an address or a network, for example 10.0.0.0/8.',
  });
}
