import { appendFileSync } from 'node:fs';
import { CommandServer } from './command-server.js';

/** True if `CAIRN_E2E_WHOLE=1` makes every command a process of its own, so that both ways can be compared. */
export const IS_ALWAYS_WHOLE = process.env['CAIRN_E2E_WHOLE'] === '1';

let server: CommandServer | undefined;
const former: CommandServer[] = [];

afterAll(async () => {
  await Promise.all([...former.splice(0), ...(server === undefined ? [] : [server])].map((one) => one.end()));
  server = undefined;
});

/** Returns the server of this file, or undefined while it is busy. `isStale` asks for a fresh one. */
export function freeServer(isStale: boolean): CommandServer | undefined {
  if (server !== undefined && (server.isOver || (isStale && server.isFree))) {
    former.push(server);
    void server.end();
    server = undefined;
  }
  server ??= new CommandServer();
  return server.isFree ? server : undefined;
}

/** True if Node reads a variable of the environment once, at the start of a process. */
export function needsProcess(env: Record<string, string | undefined>): boolean {
  return Object.entries(env).some(([name, value]) => value !== undefined && name.startsWith('NODE_'));
}

/** Adds a line with the kind of a command to the file that `CAIRN_E2E_COUNTS` names. */
export function note(kind: string, words: readonly string[]): void {
  const file = process.env['CAIRN_E2E_COUNTS'];
  if (file !== undefined) appendFileSync(file, `${kind}: ${words.join(' ').replaceAll('\n', ' ')}\n`);
}
