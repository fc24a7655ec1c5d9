import { parseModule, parseProvider, resourceAddressText } from './address.js';
import type { InstanceKey, StateProviderAddress } from './address.js';
import { JsonNumber, parseJson } from './json-tree.js';
import type { JsonMembers, JsonTree } from './json-tree.js';
import type {
  StateInstance,
  StateOutput,
  StatePath,
  StateResource,
  StateStep,
  TerraformState,
} from './model.js';
import { refuseBinary, refuseOther } from './other-files.js';
import { DAMAGED, refusedState } from './refusal.js';

/**
 * Reads a state of format version 4 [TFF-1]. `source` is its name in errors. Throws CAIRN-TERRAFORM-STATE with the
 * place of the fault, or with the kind of the file and a hint.
 */
export function readState(bytes: Uint8Array, source: string): TerraformState {
  refuseBinary(bytes, source);
  const reader = new StateReader(source);
  const root = reader.document(bytes);
  refuseOther(root, source);
  return reader.state(root);
}

/** Reads one object in the form of states. `source` is its name in errors. */
export function readInstance(tree: JsonMembers, source: string): StateInstance {
  return new StateReader(source).instance(tree, 'the object');
}

const NO_MEMBERS: JsonMembers = new Map();

class StateReader {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  document(bytes: Uint8Array): JsonMembers {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (error) {
      throw refusedState(
        this.#source,
        'it is not text in UTF-8, so it is not a state of Terraform',
        DAMAGED,
        error,
      );
    }
    if (text.trim() === '') throw refusedState(this.#source, 'it is empty', DAMAGED);
    try {
      return this.#object(parseJson(text), '');
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'JsonTreeError') throw error;
      throw refusedState(this.#source, `it is not JSON: ${error.message}`, DAMAGED, error);
    }
  }

  state(root: JsonMembers): TerraformState {
    const { take, more } = membersOf(root);
    take('version');
    const outputs = new Map<string, StateOutput>();
    const terraformVersion = this.#text(take('terraform_version'), 'terraform_version');
    const serial = this.#serial(take('serial'));
    const lineage = this.#text(take('lineage'), 'lineage');
    for (const [name, tree] of this.#optional(take('outputs'), 'outputs'))
      outputs.set(name, this.#output(tree, `outputs.${name}`));
    const resources = this.#list(take('resources'), 'resources').map((each, index) =>
      this.#resource(each, `resources[${index}]`),
    );
    this.#refuseTwice(resources);
    return {
      terraformVersion,
      serial,
      lineage,
      outputs,
      resources,
      checkResults: take('check_results'),
      more: more(),
    };
  }

  #output(tree: JsonTree, at: string): StateOutput {
    const { take, more } = membersOf(this.#object(tree, at));
    const [value, type] = [take('value'), take('type')];
    if (value === undefined || type === undefined) this.#refuse(at, 'has no value, or no type');
    return { value, type, sensitive: this.#flag(take('sensitive'), `${at}.sensitive`), more: more() };
  }

  #resource(tree: JsonTree, at: string): StateResource {
    const { take, more } = membersOf(this.#object(tree, at));
    const module = parseModule(this.#text(take('module'), `${at}.module`));
    if (module === undefined) this.#refuse(`${at}.module`, 'is not the address of a module');
    const mode = take('mode');
    if (mode !== 'managed' && mode !== 'data') this.#refuse(`${at}.mode`, 'is neither "managed" nor "data"');
    const type = this.#name(take('type'), `${at}.type`);
    const name = this.#name(take('name'), `${at}.name`);
    const provider = this.#provider(take('provider'), `${at}.provider`);
    const instances = this.#list(take('instances'), `${at}.instances`).map((each, index) =>
      this.instance(each, `${at}.instances[${index}]`),
    );
    if (provider === undefined && instances.some((each) => each.provider === undefined))
      this.#refuse(at, 'has no provider');
    const each = this.#text(take('each'), `${at}.each`);
    return { module, mode, type, name, each, provider, instances, more: more() };
  }

  instance(tree: JsonTree, at: string): StateInstance {
    const { take, more } = membersOf(this.#object(tree, at));
    const status = this.#text(take('status'), `${at}.status`);
    if (status !== '' && status !== 'tainted')
      this.#refuse(`${at}.status`, 'is something other than "tainted"');
    const attributes = take('attributes');
    if (attributes === undefined || attributes === null) this.#withoutAttributes(at, take('attributes_flat'));
    const schemaVersion = this.#count(take('schema_version') ?? new JsonNumber('0'), `${at}.schema_version`);
    const identityVersion = take('identity_schema_version');
    return {
      key: this.#key(take('index_key'), `${at}.index_key`),
      tainted: status === 'tainted',
      deposed: this.#text(take('deposed'), `${at}.deposed`),
      provider: this.#provider(take('provider'), `${at}.provider`),
      schemaVersion,
      attributes: this.#object(attributes, `${at}.attributes`),
      sensitive: this.#paths(take('sensitive_attributes'), `${at}.sensitive_attributes`),
      identity: take('identity'),
      identityVersion:
        identityVersion === undefined
          ? undefined
          : this.#count(identityVersion, `${at}.identity_schema_version`),
      private: this.#bytes(take('private'), `${at}.private`),
      dependencies: this.#list(take('dependencies'), `${at}.dependencies`).map((each, index) =>
        this.#text(each, `${at}.dependencies[${index}]`),
      ),
      createBeforeDestroy: this.#flag(take('create_before_destroy'), `${at}.create_before_destroy`),
      more: more(),
    };
  }

  #withoutAttributes(at: string, flat: JsonTree | undefined): never {
    if (flat === undefined) this.#refuse(at, 'has no attributes');
    throw refusedState(
      this.#source,
      `${at} has its attributes in the form of Terraform 0.11`,
      'Run `terraform apply -refresh-only` with Terraform 1.x, which writes them again, and use that state.',
    );
  }

  #paths(tree: JsonTree | undefined, at: string): readonly StatePath[] | undefined {
    if (tree === undefined || tree === null) return undefined;
    return this.#list(tree, at).map((path, index) =>
      this.#list(path, `${at}[${index}]`).map((step, depth) => this.#step(step, `${at}[${index}][${depth}]`)),
    );
  }

  #step(tree: JsonTree, at: string): StateStep {
    const step = this.#object(tree, at);
    const value = step.get('value');
    if (step.get('type') === 'get_attr' && typeof value === 'string') return { attribute: value };
    if (step.get('type') !== 'index' || !(value instanceof Map)) this.#refuse(at, 'is not a step of a path');
    const [index, type] = [(value as JsonMembers).get('value'), (value as JsonMembers).get('type')];
    if (index === undefined || type === undefined) this.#refuse(at, 'is not a step of a path');
    return { index, type };
  }

  #key(tree: JsonTree | undefined, at: string): InstanceKey {
    if (tree === undefined || tree === null) return undefined;
    return typeof tree === 'string' ? tree : this.#count(tree, at);
  }

  #provider(tree: JsonTree | undefined, at: string): StateProviderAddress | undefined {
    if (tree === undefined) return undefined;
    return parseProvider(this.#text(tree, at)) ?? this.#refuse(at, 'is not the address of a provider');
  }

  #bytes(tree: JsonTree | undefined, at: string): Uint8Array | undefined {
    if (tree === undefined) return undefined;
    const text = this.#text(tree, at);
    const bytes = Buffer.from(text, 'base64');
    return bytes.toString('base64') === text ? bytes : this.#refuse(at, 'is not base64');
  }

  #serial(tree: JsonTree | undefined): bigint {
    const found = tree instanceof JsonNumber && /^\d{1,20}$/.test(tree.text) ? BigInt(tree.text) : undefined;
    return found ?? this.#refuse('serial', 'is not a whole number');
  }

  #count(tree: JsonTree, at: string): number {
    const number = tree instanceof JsonNumber && /^\d+$/.test(tree.text) ? Number(tree.text) : Number.NaN;
    return Number.isSafeInteger(number) ? number : this.#refuse(at, 'is not a whole number');
  }

  #name(tree: JsonTree | undefined, at: string): string {
    const text = this.#text(tree, at);
    return /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(text) ? text : this.#refuse(at, 'is not a name');
  }

  #text(tree: JsonTree | undefined, at: string): string {
    if (tree === undefined || tree === null) return '';
    return typeof tree === 'string' ? tree : this.#refuse(at, 'is not a string');
  }

  #flag(tree: JsonTree | undefined, at: string): boolean {
    if (tree === undefined || tree === null) return false;
    return typeof tree === 'boolean' ? tree : this.#refuse(at, 'is not true or false');
  }

  #list(tree: JsonTree | undefined, at: string): readonly JsonTree[] {
    if (tree === undefined || tree === null) return [];
    return Array.isArray(tree) ? (tree as readonly JsonTree[]) : this.#refuse(at, 'is not a list');
  }

  #optional(tree: JsonTree | undefined, at: string): JsonMembers {
    return tree === undefined || tree === null ? NO_MEMBERS : this.#object(tree, at);
  }

  #object(tree: JsonTree | undefined, at: string): JsonMembers {
    return tree instanceof Map ? (tree as JsonMembers) : this.#refuse(at, 'is not an object');
  }

  /** Refuses an object that is in the state twice, because it would be managed twice. */
  #refuseTwice(resources: readonly StateResource[]): void {
    const seen = new Set<string>();
    for (const resource of resources) {
      for (const { key, deposed } of resource.instances) {
        const address = `${resourceAddressText({ ...resource, key })}${deposed === '' ? '' : ` (deposed ${deposed})`}`;
        if (seen.has(address)) this.#refuse('resources', `have ${address} twice`);
        seen.add(address);
      }
    }
  }

  #refuse(at: string, what: string): never {
    throw refusedState(this.#source, `${at === '' ? 'it' : at} ${what}`, DAMAGED);
  }
}

/** Splits the members of an object: `take` returns the known ones, `more` the others. */
function membersOf(object: JsonMembers) {
  const left = new Map(object);
  return {
    take: (key: string): JsonTree | undefined => {
      const value = left.get(key);
      left.delete(key);
      return value;
    },
    more: (): JsonMembers => left,
  };
}
