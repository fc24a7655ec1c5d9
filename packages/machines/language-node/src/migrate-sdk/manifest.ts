/**
 * Returns a package.json that names our SDK in place of the other, or beside it if `both`. Everything else keeps its
 * place and form.
 */
export function migrateManifest(text: string, version: string, both = false): string {
  if (/"@cairn\/sdk"\s*:/.test(text)) return text;
  return text.replace(
    /"@pulumi\/pulumi"(\s*:\s*)"[^"]*"/,
    (other, colon: string) => `"@cairn/sdk"${colon}"^${version}"${both ? `, ${other}` : ''}`,
  );
}
