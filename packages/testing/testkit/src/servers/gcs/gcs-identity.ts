import { randomBytes } from 'node:crypto';
import type { ServerReply, ServerRequest } from '../http-server.js';

/** How long a token made here is good, in seconds. */
const TOKEN_SECONDS = 3600;

/** Who may come in: a token handed out at the start, and those that a workload gets for what says who it is. */
export class GcsIdentity {
  private readonly tokens = new Set<string>();
  /** What a workload shows to get a token, as its platform would have put it into a file. */
  readonly workloadToken = randomBytes(24).toString('base64url');

  /** A token that is good from now on. */
  issue(): string {
    const token = `ya29.${randomBytes(24).toString('base64url')}`;
    this.tokens.add(token);
    return token;
  }

  /** Every token handed out so far becomes worthless. */
  expireAll(): void {
    this.tokens.clear();
  }

  admits({ headers }: ServerRequest): boolean {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    return token !== undefined && this.tokens.has(token);
  }

  /**
   * Text of a credentials file for workload identity federation. `origin`: of this server; `tokenFile`: where the
   * workload's token lies. (A service account's key would not do: the vendor's library asks for its tokens at one
   * address only, whatever the file says.)
   */
  credentialsFile(origin: string, tokenFile: string): string {
    return JSON.stringify({
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/test',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${origin}/token`,
      credential_source: { file: tokenFile },
    });
  }

  /** `POST /token`: the workload's token for one of ours (RFC 8693). */
  exchange({ body }: ServerRequest): ServerReply {
    const form = new URLSearchParams(body.toString('utf8'));
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    if (form.get('subject_token') !== this.workloadToken) {
      const error = { error: 'invalid_grant', error_description: 'The workload is not known.' };
      return { status: 400, headers, body: JSON.stringify(error) };
    }
    const answer = {
      access_token: this.issue(),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      expires_in: TOKEN_SECONDS,
      token_type: 'Bearer',
    };
    return { status: 200, headers, body: JSON.stringify(answer) };
  }
}
