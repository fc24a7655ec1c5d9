import { cairnError } from '@cairn/diagnostics';
import { EXCHANGE, ExchangedBody } from '@cairn/http-api';
import { systemRetryPorts } from '@cairn/retries';
import type { TokenExchange } from './reach.js';
import { ServiceHttp } from './service-http.js';
import type { ServiceAddress } from './service-http.js';
import { ServiceRefusal } from './service-refusal.js';

/** Exchanges a token of an issuer for an access token; see `exchangedToken`. */
export async function exchangeToken(
  address: Pick<ServiceAddress, 'url' | 'version'>,
  { organization, scope, token, expiration }: TokenExchange,
): Promise<string> {
  const http = new ServiceHttp({ ...address, token: undefined, retries: systemRetryPorts });
  const form = {
    ...{ audience: `${EXCHANGE.audiencePrefix}${organization}`, grant_type: EXCHANGE.grantType },
    ...{ requested_token_type: EXCHANGE.tokenTypePrefix + kindOf(scope), scope },
    ...{
      subject_token_type: EXCHANGE.subjectTokenType,
      subject_token: token,
      expiration: String(expiration),
    },
  };
  try {
    return (await http.json('exchangeToken', ExchangedBody, { form })).access_token;
  } catch (thrown) {
    if (!(thrown instanceof ServiceRefusal) || (thrown.status !== 401 && thrown.status !== 403)) throw thrown;
    throw cairnError('CAIRN-STORE-CREDENTIALS', thrown.message, {
      hint: 'Compare issuer, audience and claims of the token with what the organization trusts.',
    });
  }
}

function kindOf(scope: string): 'organization' | 'team' | 'personal' {
  if (scope.startsWith('team:')) return 'team';
  return scope.startsWith('user:') ? 'personal' : 'organization';
}
