import type { AnalyzerStack } from '@cairn/wire';

/** The whole environment of a policy pack: ours, and what it may want to know of the stack [PLUG-10] [POL-1]. */
export function packEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { organization, project, stack, dryRun, config }: AnalyzerStack,
): Record<string, string> {
  const inherited = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const names = { ORGANIZATION: organization, PROJECT: project, STACK: stack, DRY_RUN: String(dryRun) };
  const told = Object.entries(names).flatMap(([name, value]) => [
    [`PULUMI_${name}`, value] as const,
    [`PULUMI_NODEJS_${name}`, value] as const,
  ]);
  return {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(told),
    PULUMI_CONFIG: JSON.stringify(config),
  };
}
