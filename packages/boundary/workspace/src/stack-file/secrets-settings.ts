/** The three keys by which a stack file names its secrets manager [SEC-1]. */
export interface SecretsSettings {
  readonly secretsProvider: string | undefined;
  readonly encryptedKey: string | undefined;
  readonly encryptionSalt: string | undefined;
}
