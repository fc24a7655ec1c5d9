/**
 * Variables that are secret by their last words, whatever program reads them: passphrases, tokens, keys of stores and
 * services.
 */
const SECRET_NAME =
  /(?:^|_)(?:PASSPHRASE|PASSWORD|SECRET|TOKEN|CREDENTIALS|CONNECTION_STRING|SECRET_ACCESS_KEY|STORAGE_KEY|API_KEY|PRIVATE_KEY)$/i;

/** Variables that name a file or a setting, and no secret. */
const NO_SECRET = /(?:^GOOGLE_APPLICATION_CREDENTIALS|_FILE)$/i;

/**
 * Returns the secrets that a command knows before it has opened anything: values of its environment. They are masked in
 * errors until those of the stack are known. Addresses of backends never show their secrets anyway.
 */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value !== '' && isSecretVariable(name) ? [value] : [],
  );
}

/** Tells whether the value of a variable of this name is secret. */
export function isSecretVariable(name: string): boolean {
  return SECRET_NAME.test(name) && !NO_SECRET.test(name);
}
