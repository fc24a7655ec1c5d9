/** A package.json that names our SDK where it named the other; everything else keeps its place and form. */
export function migrateManifest(text: string, version: string): string {
  if (/"@cairn\/sdk"\s*:/.test(text)) return text;
  return text.replace(
    /"@pulumi\/pulumi"(\s*:\s*)"[^"]*"/,
    (_all, colon: string) => `"@cairn/sdk"${colon}"^${version}"`,
  );
}
