const OURS = /^(?:CAIRN|PULUMI)_/;
const SECRET_NAME = /PASSPHRASE|TOKEN|SECRET|PASSWORD|CREDENTIAL|KEY|_CONFIG$/;
/** Matches addresses that contain a user or a signature. */
const SECRET_VALUE = /\/\/[^/]*@|[?&](?:sig|token|password|secret)[^=]*=/i;

/** Returns the variables that steer Cairn, by name. A value that is or may be a secret is `[secret]` [STATE-4]. */
export function noteworthyVariables(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const noted: Record<string, string> = {};
  for (const name of Object.keys(env)
    .filter((each) => OURS.test(each))
    .sort()) {
    const value = env[name];
    if (value === undefined || value === '') continue;
    noted[name] = SECRET_NAME.test(name) || SECRET_VALUE.test(value) ? '[secret]' : value;
  }
  return noted;
}
