import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { COOKIE, protocols } from '@cairn/tfplugin';
import type { ProviderMethods } from '@cairn/tfplugin';
import { certificatePem, makeCertificate } from '@cairn/tfplugin/tls';
import { Http2Caller } from '@cairn/wire/caller';
import type { Caller } from '@cairn/wire/caller';

type Method = keyof ProviderMethods;
type MessageOf<M extends Method, K extends 'requestType' | 'responseType'> = ReturnType<
  ProviderMethods[M][K]['decode']
>;
type Partial6<M extends Method> = Parameters<ProviderMethods[M]['requestType']['fromPartial']>[0];

/** Calls of the provider service of one protocol, unary ones only. */
export function callsOf(caller: Caller, version: 5 | 6) {
  const { fullName, methods } = protocols[version].service;
  return async <M extends Method>(method: M, request: Partial6<M>): Promise<MessageOf<M, 'responseType'>> => {
    const definition = methods[method] as ProviderMethods[Method];
    const body = definition.requestType.encode(definition.requestType.fromPartial(request) as never).finish();
    const answer = await caller.unary(`/${fullName}/${definition.name}`, body);
    return definition.responseType.decode(answer) as MessageOf<M, 'responseType'>;
  };
}

/** What calls a provider of the protocol. */
export type ProviderCalls = ReturnType<typeof callsOf>;

/** A provider process that was started as a host does. */
export interface Hosted {
  readonly child: ChildProcess;
  readonly line: readonly string[];
  readonly caller: Caller;
  readonly call: ProviderCalls;
  readonly ended: Promise<number | null>;
  /** All that it has written to its errors. */
  errors(): string;
}

/** Starts a script as a plugin, and connects to it. */
export async function startHosted(
  script: string,
  env: Readonly<Record<string, string>> = {},
  encrypted = true,
): Promise<Hosted> {
  const own = encrypted ? await makeCertificate() : undefined;
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      [COOKIE.name]: COOKIE.value,
      PLUGIN_PROTOCOL_VERSIONS: '6,5',
      ...(own !== undefined && { PLUGIN_CLIENT_CERT: own.certificate }),
      ...env,
    },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const first = await firstLine(child, ended, () => errors);
  const line = first.split('|');
  const [, version, network, place, , shown = ''] = line;
  const address = network === 'unix' ? `unix:${place}` : String(place);
  const pem = certificatePem(Buffer.from(shown, 'base64'));
  const caller = new Http2Caller(
    address,
    own && { serverCertificate: pem, certificate: own.certificate, key: own.key },
  );
  const call = callsOf(caller, Number(version) as 5 | 6);
  return { child, line, caller, call, ended, errors: () => errors };
}

/** The first line of a process' output. Rejects when it ends before. */
export function firstLine(
  child: ChildProcess,
  ended: Promise<number | null>,
  errors: () => string = () => '',
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    void ended.then((code) => reject(new Error(`ended with ${code}: ${errors()}`)));
  });
}
