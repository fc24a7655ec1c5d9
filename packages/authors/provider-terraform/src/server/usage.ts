/** Returns the text shown to a person who starts a provider by hand. */
export function startedByHand(name: string, source: string): string {
  return [
    `This is the provider ${name} for Terraform and OpenTofu, which start it themselves.`,
    'To have them find it, name its folder under dev_overrides in the file that TF_CLI_CONFIG_FILE names:',
    `  provider_installation { dev_overrides { "${source}" = "FOLDER" } direct {} }`,
    'or start it with -debug and set the variable that it then prints.',
    '',
  ].join('\n');
}
