import type { ObjectFailureKind } from '../object/object-client.js';
import { retryAfterMs } from '@cairn/retries';
import { ObjectFailure } from '../object/object-client.js';
import type { GcsAnswer } from './gcs-exchange.js';

/** Content of an unsuccessful answer: the server's message, and its reason if it gives one. */
interface GcsComplaint {
  readonly said: string;
  readonly reason: string | undefined;
}

/** Reads the JSON API's error, or the bare text of a media answer or of an intermediary. */
export function complaintOf({ status, body }: GcsAnswer): GcsComplaint {
  const text = Buffer.from(body).toString('utf8').trim();
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string; errors?: { reason?: string }[] } };
    if (error?.message !== undefined) return { said: error.message, reason: error.errors?.[0]?.reason };
  } catch {
    // Bare text.
  }
  return { said: text === '' ? `HTTP ${status} without a message` : text.slice(0, 500), reason: undefined };
}

/** Recognises a 404 about the bucket, not about the object. */
export function isBucketMissing({ said }: GcsComplaint): boolean {
  return /bucket does not exist/i.test(said);
}

const THROTTLING = /^(rateLimitExceeded|userRateLimitExceeded|quotaExceeded)$/;
/** Recognises that the bytes that arrived differ from those that were sent. */
const TORN = /doesn't match calculated|does not match/i;

const ROLES =
  'Give this account the role roles/storage.objectUser on the bucket (list, read, write and delete objects), or use other credentials.';
const RENEW =
  'Renew them: `gcloud auth application-default login`, or set GOOGLE_OAUTH_ACCESS_TOKEN (`gcloud auth print-access-token`) or GOOGLE_CREDENTIALS again.';

/**
 * Returns the failure for an answer that is neither a success nor a failed condition. `bucket` is named in the hint.
 */
export function gcsFailure(answer: GcsAnswer, bucket: string): ObjectFailure {
  const complaint = complaintOf(answer);
  const kind = kindOf(answer.status, complaint);
  const next = nextOf(kind, bucket);
  const asked = retryAfterMs(answer.headers['retry-after'], Date.now());
  return new ObjectFailure(kind, complaint.said, {
    status: answer.status,
    ...(asked === undefined ? {} : { retryAfterMs: asked }),
    ...(next === undefined ? {} : { next }),
  });
}

function kindOf(status: number, complaint: GcsComplaint): ObjectFailureKind {
  if (THROTTLING.test(complaint.reason ?? '') || status === 429) return 'throttled';
  switch (status) {
    case 400:
      return TORN.test(complaint.said) ? 'unavailable' : 'protocol';
    case 401:
      return /^anonymous caller/i.test(complaint.said) ? 'credentials-missing' : 'credentials-expired';
    case 403:
      return 'denied';
    case 404:
      return isBucketMissing(complaint) ? 'no-bucket' : 'protocol';
    case 408:
      return 'timeout';
    case 413:
      return 'too-large';
    case 501:
      return 'condition-unsupported';
    default:
      return status >= 500 ? 'unavailable' : 'protocol';
  }
}

function nextOf(kind: ObjectFailureKind, bucket: string): string | undefined {
  if (kind === 'denied') return ROLES;
  if (kind === 'credentials-expired' || kind === 'credentials-missing') return RENEW;
  if (kind !== 'no-bucket') return undefined;
  return `Create it (gcloud storage buckets create gs://${bucket}), or correct its name in the address.`;
}
