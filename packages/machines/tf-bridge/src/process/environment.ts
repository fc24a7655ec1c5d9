import { COOKIE } from '@cairn/tfplugin';
import { withoutOwnSecrets } from '@cairn/values/own-secrets';

/** Supported versions of the protocol. */
export const PROTOCOL_VERSIONS: readonly number[] = [6, 5];

/** Tells whether connections to providers are encrypted, which the user can switch off. */
export function encrypts(env: NodeJS.ProcessEnv): boolean {
  return env['TF_DISABLE_PLUGIN_TLS'] === undefined || env['TF_DISABLE_PLUGIN_TLS'] === '';
}

/**
 * Returns the environment of a provider's process: this process' own without Cairn's secrets, and with the variables of
 * the handshake [TFP-1].
 */
export function providerEnvironment(
  env: NodeJS.ProcessEnv,
  certificate: string | undefined,
): NodeJS.ProcessEnv {
  const { PLUGIN_CLIENT_CERT: _certificate, PLUGIN_MULTIPLEX_GRPC: _multiplex, ...own } = env;
  return {
    ...withoutOwnSecrets(own),
    [COOKIE.name]: COOKIE.value,
    PLUGIN_PROTOCOL_VERSIONS: PROTOCOL_VERSIONS.join(','),
    PLUGIN_MIN_PORT: '10000',
    PLUGIN_MAX_PORT: '25000',
    ...(certificate !== undefined && { PLUGIN_CLIENT_CERT: certificate }),
  };
}
