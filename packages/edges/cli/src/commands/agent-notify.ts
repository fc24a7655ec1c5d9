import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { leaveAgentMessage, warningsToShow, readAgentState } from '@cairn/agent';
import { EXIT, cairnError } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import { readAgentFile } from '../flows/agent-file.js';
import type { AgentFlags } from '../flows/agent-file.js';
import { alignedLines } from '../terminal/columns.js';
import { visible } from '../terminal/controls.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches } from '../flags/flag-spec.js';

/** `agent deliveries` */
export const deliveries: Command<AgentFlags & Switches<'json'>> = async ({ flags }, context) => {
  const { folder } = await readAgentFile(context, flags);
  const listed = [...(await readAgentState(folder)).deliveries.values()];
  if (flags.json) printJson(context, listed as unknown as Json);
  else if (listed.length === 0) context.stderr.write('no deliveries found\n');
  else {
    const rows = listed.map(({ id, target, notice, status, attempts, last }) => [
      ...[id, target, `${notice.type} ${notice.key}`, status, String(attempts)],
      last?.answer ?? '',
    ]);
    const table = alignedLines([['DELIVERY', 'TARGET', 'NOTICE', 'STATUS', 'ATTEMPTS', 'ANSWER'], ...rows]);
    context.stdout.write(`${table.map((line) => visible(line)).join('\n')}\n`);
  }
  return EXIT.ok;
};

/** `agent redeliver` */
export const redeliver: Command<AgentFlags> = async ({ args: [id = ''], flags }, context) => {
  const { folder } = await readAgentFile(context, flags);
  const delivery = (await readAgentState(folder)).deliveries.get(id);
  if (delivery === undefined)
    throw cairnError('CAIRN-USAGE', `there is no delivery ${JSON.stringify(id)}`, {
      hint: 'List them with `cairn agent deliveries`.',
    });
  await leaveAgentMessage(folder, newId(), context.now(), { t: 'redeliver', id, by: userInfo().username });
  context.stderr.write(`Delivery ${id} is sent again to ${delivery.target}\n`);
  return EXIT.ok;
};

/** `agent warnings` */
export const warnings: Command<AgentFlags & Switches<'acknowledge' | 'json'>> = async (
  { flags },
  context,
) => {
  const { folder } = await readAgentFile(context, flags);
  const now = context.now();
  const pending = warningsToShow((await readAgentState(folder)).warnings, now);
  if (flags.json) printJson(context, pending as unknown as Json);
  else if (pending.length === 0) context.stderr.write('no warnings\n');
  else
    for (const { message, 'last-added': at } of pending)
      context.stdout.write(`${at ?? ''}  ${visible(message ?? '')}\n`);
  if (flags.acknowledge && pending.length > 0)
    await leaveAgentMessage(folder, newId(), now, {
      t: 'okay',
      at: now.toISOString(),
      by: userInfo().username,
    });
  return EXIT.ok;
};

/** `agent notices --acknowledge` */
export async function acknowledge(
  context: CommandContext,
  flags: AgentFlags,
  notices: readonly { readonly type: string; readonly key: string; readonly 'last-repeated': string }[],
): Promise<void> {
  const { folder } = await readAgentFile(context, flags);
  const seen = notices.map(({ type, key, 'last-repeated': repeated }) => ({ type, key, repeated }));
  await leaveAgentMessage(folder, newId(), context.now(), {
    ...{ t: 'seen', notices: seen, at: context.now().toISOString(), by: userInfo().username },
  });
}

const newId = (): string => randomUUID().slice(0, 8);
