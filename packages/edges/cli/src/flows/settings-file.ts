import type { SettingsMembers } from '@cairn/backends';
import { FileProblems, parseYaml, plainData } from '@cairn/workspace';

/** Reads deployment settings, or a change of them, from YAML or JSON. Fails with `CAIRN-AGENT-INVALID`. */
export function readSettingsFile(text: string, file: string): SettingsMembers {
  const problems = new FileProblems(file, 'deployment settings', 'CAIRN-AGENT-INVALID');
  const { root } = parseYaml(text, problems);
  if (root?.kind !== 'map')
    return problems.fail({ line: 1, column: 1 }, 'they are no map', 'Begin with a member such as `cairn:`.');
  return plainData(root) as SettingsMembers;
}
