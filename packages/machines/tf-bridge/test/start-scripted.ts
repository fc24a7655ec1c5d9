import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import { makeCertificate } from '@cairn/tfplugin/tls';
import type { ProviderLog } from '../src/process/log-line.js';
import { startProvider } from '../src/process/start-provider.js';
import type { ProviderLimits, RunningProvider } from '../src/process/start.js';

/** The scripted process, for node. */
export const SCRIPTED = path.join(__dirname, 'scripted-provider.mjs');
/** A method that scripts answer. */
export const METHOD = '/tfplugin6.Provider/GetProviderSchema';
export const EMPTY = new Uint8Array();

const started: RunningProvider[] = [];

/** Stops everything that {@link start} started; call it after each test. */
export async function stopAll(): Promise<void> {
  await Promise.all(started.splice(0).map((provider) => provider.stop()));
}

/** Starts a process that behaves as the script says. */
export async function start(
  script: object,
  env: Readonly<Record<string, string>> = {},
  limits: Partial<ProviderLimits> = {},
) {
  const logs: ProviderLog[] = [];
  const provider = await startProvider({
    name: 'acme/scripted',
    executable: process.execPath,
    args: [SCRIPTED],
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], SCRIPT: JSON.stringify(script), ...env },
    onLog: (log) => logs.push(log),
    limits,
  });
  started.push(provider);
  return { provider, logs };
}

/** Returns a certificate for a script. */
export async function certificate() {
  const { certificate: pem, key, der } = await makeCertificate();
  return { certificate: pem, key, der: Buffer.from(der).toString('base64').replace(/=+$/, '') };
}

/** Returns a script's answer to {@link METHOD}. */
export const answering = (text: string) => ({
  [METHOD]: { messages: [Buffer.from(text).toString('base64')] },
});

/** Returns a file for `callsTo` of a script, and the paths of the calls written there. */
export function callLog() {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'calls-')), 'calls');
  return { file, calls: () => readFileSync(file, 'utf8').split('\n').slice(0, -1) };
}

/** Returns the code of a failure. */
export const codeOf = (error: unknown) => (isCairnError(error) ? error.diagnostics[0]?.code : error);
/** Returns the causes of a failure. */
export const causesOf = (error: unknown) =>
  isCairnError(error) ? (error.diagnostics[0]?.causes ?? []).join('\n') : '';
