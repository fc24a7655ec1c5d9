import { cairnError } from '@cairn/diagnostics';
import type { ExitDetail } from '@cairn/diagnostics';

/**
 * Returns the detail of exit codes: as in Pulumi, unless `CAIRN_EXIT_CODES=fine` [CLI-10]. Throws CAIRN-USAGE for
 * another word.
 */
export function exitDetail(env: Readonly<Record<string, string | undefined>>): ExitDetail {
  const said = env['CAIRN_EXIT_CODES'] ?? '';
  if (said === 'fine') return 'fine';
  if (said === '' || said === 'as-pulumi') return 'as-pulumi';
  throw cairnError('CAIRN-USAGE', `CAIRN_EXIT_CODES is fine or as-pulumi, not ${JSON.stringify(said)}`);
}
