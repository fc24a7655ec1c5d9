/** The three keys that name the secrets manager in a stack file [SEC-1]. */
export interface SecretsSettings {
  readonly secretsProvider: string | undefined;
  readonly encryptedKey: string | undefined;
  readonly encryptionSalt: string | undefined;
}
