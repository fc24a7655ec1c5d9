import { existsSync } from 'node:fs';
import { protocols, typeJson } from '@cairn/tfplugin';
import type { ProviderMethod, TfValue } from '@cairn/tfplugin';
import { StatusError } from '@cairn/wire';
import type { StatusName } from '@cairn/wire';
import type { Service } from '@cairn/wire/server';
import { DefinedSchemas } from './definition.js';
import type { TerraformDefinition } from './definition.js';
import { answerMessage, isValuePart, OtherType, readRequest } from './messages.js';
import type { CallAnswer, CallRequest } from './messages.js';
import { written } from '@cairn/tfplugin/notation';
import type { NotationJson } from '@cairn/tfplugin/notation';
import { MemoryStore } from './object-store.js';
import type { ObjectStore } from './object-store.js';
import { Rules } from './rules.js';
import type { ScriptRule } from './rules.js';
import { changedAnswer, scriptedAnswer } from './scripted-answer.js';
import { standardAnswers } from './standard-answers.js';
import type { StandardAnswers } from './standard-answers.js';

/** Answers by code. Each gets the standard answer to start from. */
export type ProviderCode = {
  readonly [M in ProviderMethod]?: (
    request: CallRequest<M>,
    standard: () => CallAnswer<M>,
  ) => CallAnswer<M> | Promise<CallAnswer<M>>;
};

/** A received call. */
export interface RecordedCall {
  readonly call: ProviderMethod;
  /** Its parts, with values in the form of cases. Empty ones are omitted. */
  readonly request: Readonly<Record<string, NotationJson>>;
}

/** A sent answer. */
interface RecordedAnswer {
  readonly call: ProviderMethod;
  readonly answer: Readonly<Record<string, NotationJson>>;
}

/** Options of a scripted provider. */
export interface ScriptedProviderOptions extends TerraformDefinition {
  /** Protocol version. Defaults to 6. */
  readonly protocol?: 5 | 6;
  readonly rules?: readonly ScriptRule[];
  readonly code?: ProviderCode;
  /** Store of the objects. Defaults to one in memory. */
  readonly store?: ObjectStore;
  /** True if an object that is not in the store is gone. Defaults to true. */
  readonly keepsObjects?: boolean;
  /** Methods that the provider does not have. */
  readonly lacks?: readonly ProviderMethod[];
  /** Called with each call before it is answered. */
  readonly onCall?: (call: RecordedCall) => void;
  /** Called with each answer about objects, data and functions, with values in the form of cases. */
  readonly onAnswer?: (answer: RecordedAnswer) => void;
}

/** Crashes the provider: ends the process, or in a test's own process makes every further call fail. */
export type Crash = (text: string) => Promise<never>;

/**
 * A provider of Terraform's protocol that follows every rule unless a script makes it break one. It makes up the values
 * that its schemas mark as computed, keeps its objects in a store, and records its calls.
 */
export class ScriptedTerraformProvider {
  readonly calls: RecordedCall[] = [];
  readonly protocol: 5 | 6;
  store: ObjectStore;
  readonly #schemas: DefinedSchemas;
  readonly #rules: Rules;
  readonly #standard: StandardAnswers;
  #ended: string | undefined;
  readonly #options: ScriptedProviderOptions;
  readonly #crash: Crash | undefined;

  constructor(options: ScriptedProviderOptions, crash?: Crash) {
    this.#options = options;
    this.#crash = crash;
    this.protocol = options.protocol ?? 6;
    this.store = options.store ?? new MemoryStore();
    this.#schemas = new DefinedSchemas(options);
    this.#rules = new Rules(options.rules ?? []);
    this.#standard = standardAnswers(this.#schemas, () => ({
      store: this.store,
      kept: options.keepsObjects ?? true,
    }));
  }

  /** Changes the next matching call. By default the rule applies to one call. */
  next(rule: ScriptRule): void {
    this.#rules.add(rule);
  }

  /** Returns the requests of one kind, in their order. */
  requests(call: ProviderMethod): readonly Readonly<Record<string, NotationJson>>[] {
    return this.calls.filter((each) => each.call === call).map(({ request }) => request);
  }

  /** Returns the service behind a connection to it. */
  service(): Service {
    const { service } = protocols[this.protocol];
    const unary = Object.entries(service.methods)
      .filter(
        ([name, method]) =>
          !method.requestStream && !method.responseStream && this.#has(name as ProviderMethod),
      )
      .map(([name, method]) => {
        const handler = (body: Uint8Array, { signal }: { readonly signal: AbortSignal }) =>
          this.#answer(name as ProviderMethod, body, signal);
        return [`/${service.fullName}/${method.name}`, handler] as const;
      });
    return { name: service.fullName, unary: new Map(unary), streams: new Map() };
  }

  #has(method: ProviderMethod): boolean {
    if (this.#options.lacks?.includes(method)) return false;
    if (method === 'getProviderSchema' || method === 'getFunctions') return true;
    if (method === 'getResourceIdentitySchemas' || method === 'upgradeResourceIdentity')
      return this.#schemas.identityMessages() !== undefined;
    return method in this.#standard;
  }

  async #answer(method: ProviderMethod, body: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    if (this.#ended !== undefined) throw new StatusError('UNAVAILABLE', this.#ended);
    const definition = protocols[this.protocol].service.methods[method];
    const message = definition.requestType.decode(body) as Readonly<Record<string, unknown>>;
    const type = String(message['typeName'] ?? message['targetTypeName'] ?? message['name'] ?? '');
    const rule = this.#rules.take(method, type, this.store);
    if (rule?.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, rule.delayMs));
    const base = definition.responseType.decode(new Uint8Array()) as object;
    const encode = (parts: object): Uint8Array =>
      (definition.responseType.encode as (message: object) => { finish(): Uint8Array })({
        ...base,
        ...parts,
      }).finish();
    const fixed = this.#fixedAnswer(method);
    if (fixed !== undefined) {
      this.#record(method, {});
      return this.#afterFault(rule, signal, () => encode(fixed));
    }
    const types = this.#schemas.typesOf(method, type);
    const request = readRequest(message, types);
    this.#record(method, request);
    if (rule?.awaits !== undefined) await untilThere(rule.awaits);
    return this.#afterFault(rule, signal, async () => {
      let parts: object =
        rule?.answer === undefined
          ? await this.#ordinary(method, request)
          : scriptedAnswer(rule.answer, types);
      if (rule?.change !== undefined) parts = changedAnswer(parts as never, rule.change, types);
      if (rule?.diagnostics !== undefined) {
        const { diagnostics = [] } = parts as { readonly diagnostics?: readonly unknown[] };
        parts = { ...parts, diagnostics: [...diagnostics, ...rule.diagnostics] };
      }
      this.#options.onAnswer?.({ call: method, answer: recordedParts(parts) });
      return encode(answerMessage(parts, types));
    });
  }

  #fixedAnswer(method: ProviderMethod): object | undefined {
    if (method === 'getProviderSchema') return this.#schemas.message(this.protocol);
    if (method === 'getFunctions') return { functions: this.#schemas.functionMessages() };
    if (method === 'getResourceIdentitySchemas')
      return { identitySchemas: this.#schemas.identityMessages() ?? new Map() };
    return undefined;
  }

  async #ordinary(method: ProviderMethod, request: object): Promise<object> {
    const standard = () => (this.#standard[method] as (request: object) => object)(request);
    const code = this.#options.code?.[method] as
      ((request: object, standard: () => object) => Promise<object>) | undefined;
    return code === undefined ? standard() : code(request, standard);
  }

  async #afterFault(
    rule: ScriptRule | undefined,
    signal: AbortSignal,
    answer: () => Uint8Array | Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    if (rule?.fault === undefined) return answer();
    const { fault, text = 'scripted' } = rule;
    const after = rule.when ?? (fault === 'lose' ? 'after' : 'before');
    if (after === 'after') await answer();
    switch (fault) {
      case 'garbage':
        return Uint8Array.of(0xff, 0xff, 0xff);
      case 'status':
        throw new StatusError((rule.status ?? 'INTERNAL') as StatusName, text);
      case 'lose':
        throw new StatusError('UNAVAILABLE', 'the connection was lost');
      case 'hang':
        return new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new StatusError('CANCELLED', 'nobody waits')));
        });
      case 'crash':
        this.#ended = 'the scripted provider has ended';
        if (this.#crash !== undefined) return this.#crash(text);
        throw new StatusError('UNAVAILABLE', this.#ended);
    }
  }

  #record(call: ProviderMethod, request: object): void {
    const recorded = { call, request: recordedParts(request) };
    this.calls.push(recorded);
    this.#options.onCall?.(recorded);
  }
}

async function untilThere(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
}

function recordedParts(parts: object): Readonly<Record<string, NotationJson>> {
  const entries = Object.entries(parts).flatMap(([name, part]): [string, NotationJson][] => {
    const json = recordedPart(name, part);
    return json === undefined || json === '' ? [] : [[name, json]];
  });
  return Object.fromEntries(entries);
}

function recordedPart(name: string, part: unknown): NotationJson | undefined {
  if (part === undefined || (part === null && name.endsWith('dentity'))) return undefined;
  if (part instanceof OtherType)
    return { $raw: [JSON.parse(typeJson(part.type)) as NotationJson, written(part.value)] };
  if (isValuePart(name)) return written(part as TfValue);
  if (name === 'importedResources') return (part as readonly object[]).map(recordedParts);
  if (name === 'arguments') return (part as readonly TfValue[]).map(written);
  return JSON.parse(JSON.stringify(part)) as NotationJson;
}
