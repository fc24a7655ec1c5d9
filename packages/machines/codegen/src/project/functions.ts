import { pclError } from '@cairn/pcl';
import type { Expression, Position } from '@cairn/pcl';
import { stringLiteral } from '../source/literal.js';
import { memberText, objectText, operand, outputCode, outputsIn, plainCode } from './code.js';
import type { Code } from './code.js';
import type { ExpressionWriter } from './file-writer.js';
import { ANY, BOOLEAN, NUMBER, STRING } from './value-type.js';
import type { ValueType } from './value-type.js';

type Call = Extract<Expression, { readonly t: 'call' }>;

/** Writes a call. */
type Writer = (call: Call, write: ExpressionWriter) => Code;

/**
 * Returns the writer of a function of plain values. `text` receives the arguments, which can be adjacent to any
 * operator.
 */
function of(
  type: ValueType | ((codes: readonly Code[]) => ValueType),
  wanted: readonly ValueType[],
  text: (texts: readonly string[], write: ExpressionWriter, codes: readonly Code[]) => string,
): Writer {
  return ({ args, expand }, write) => {
    const codes = args.map((arg, index) => write.code(arg, wanted[index] ?? wanted.at(-1) ?? ANY));
    return write.operation(codes, (texts) => {
      const spread = expand ? [...texts.slice(0, -1), `...${texts.at(-1) ?? ''}`] : texts;
      return plainCode(text(spread, write, codes), typeof type === 'function' ? type(codes) : type);
    });
  };
}

/** Returns the writer of a function that accepts outputs and returns one. */
function lifted(name: 'secret' | 'unsecret'): Writer {
  return ({ args }, write) => {
    const [value] = args.map((arg) => write.code(arg));
    return outputCode(`${write.file.sdk(name)}(${value?.text ?? ''})`, value?.type ?? ANY);
  };
}

/** Returns the writer of an SDK function about the stack, or about a resource. */
function told(name: string): Writer {
  return ({ args }, write) => {
    const given = args.map((arg) => write.code(arg).text);
    return plainCode(`${write.file.sdk(name)}(${given.join(', ')})`, STRING);
  };
}

function made(name: string): Writer {
  return ({ args }, write) => {
    const [value] = args.map((arg) => write.code(arg));
    return plainCode(`new ${write.file.sdk(name)}(${value?.text ?? ''})`);
  };
}

const itemOf = ([list]: readonly Code[]): ValueType =>
  list?.type.kind === 'list' || list?.type.kind === 'map' ? list.type.item : ANY;
const strings: ValueType = { kind: 'list', item: STRING };
const hash = (algorithm: string, encoding: string) => (texts: readonly string[], write: ExpressionWriter) =>
  `${write.file.node('node:crypto', 'createHash')}('${algorithm}').update(${texts.join()}).digest('${encoding}')`;
const fileOf = (texts: readonly string[], write: ExpressionWriter): string =>
  `${write.file.node('node:fs', 'readFileSync')}(${texts.join()}`;

const WRITERS: Readonly<Record<string, Writer>> = {
  assetArchive: made('AssetArchive'),
  call: method,
  can: (call, write) =>
    attempts(call, write, (tries) => plainCode(`${write.file.support('can')}(${tries[0] ?? ''})`, BOOLEAN)),
  cwd: () => plainCode('process.cwd()', STRING),
  element: of(
    itemOf,
    [ANY, NUMBER],
    (texts, write) => `${write.file.support('element')}(${texts.join(', ')})`,
  ),
  entries: of(
    { kind: 'list', item: ANY },
    [ANY],
    (texts, write) => `${write.file.support('entries')}(${texts.join()})`,
  ),
  fileArchive: made('FileArchive'),
  fileAsset: made('FileAsset'),
  filebase64: of(STRING, [STRING], (texts, write) => `${fileOf(texts, write)}, 'base64')`),
  filebase64sha256: of(STRING, [STRING], (texts, write) =>
    hash('sha256', 'base64')([`${fileOf(texts, write)})`], write),
  ),
  fromBase64: of(STRING, [STRING], ([text = '']) => `Buffer.from(${text}, 'base64').toString()`),
  getOutput: ({ args }, write) => {
    const [reference, name] = args.map((arg) => write.code(arg));
    return outputCode(`${reference === undefined ? '' : operand(reference)}.getOutput(${name?.text ?? ''})`);
  },
  invoke,
  join: of(STRING, [STRING, strings], ([by = '', list = '']) => `${list}.join(${by})`),
  length: of(NUMBER, [ANY], ([text = ''], write, [code]) => lengthText(text, code?.type ?? ANY, write)),
  lookup: of(
    itemOf,
    [ANY, STRING, ANY],
    ([map = '', key = '', other = '']) => `(${map}[${key}] ?? ${other})`,
  ),
  max: of(NUMBER, [], (texts) => `Math.max(${texts.join(', ')})`),
  min: of(NUMBER, [], (texts) => `Math.min(${texts.join(', ')})`),
  notImplemented: of(
    ANY,
    [STRING],
    (texts, write) => `${write.file.support('notImplemented')}(${texts.join()})`,
  ),
  organization: told('getOrganization'),
  project: told('getProject'),
  pulumiResourceName: told('resourceName'),
  pulumiResourceType: told('resourceType'),
  range: of(
    { kind: 'list', item: NUMBER },
    [NUMBER],
    (texts, write) => `${write.file.support('range')}(${texts.join(', ')})`,
  ),
  readFile: of(STRING, [STRING], (texts, write) => `${fileOf(texts, write)}, 'utf8')`),
  recover,
  remoteArchive: made('RemoteArchive'),
  remoteAsset: made('RemoteAsset'),
  rootDirectory: told('getRootDirectory'),
  secret: lifted('secret'),
  sha1: of(STRING, [STRING], hash('sha1', 'hex')),
  singleOrNone: of(itemOf, [ANY], (texts, write) => `${write.file.support('singleOrNone')}(${texts.join()})`),
  split: of(strings, [STRING, STRING], ([by = '', text = '']) => `${text}.split(${by})`),
  stack: told('getStack'),
  stringAsset: made('StringAsset'),
  toBase64: of(STRING, [STRING], ([text = '']) => `Buffer.from(${text}).toString('base64')`),
  toJSON: ({ args }, write) => {
    const [value] = args.map((arg) => write.code(arg));
    if (value === undefined || value.outputs === 'none')
      return plainCode(`JSON.stringify(${value?.text ?? ''})`, STRING);
    return outputCode(`${write.file.sdk('jsonStringify')}(${value.text})`, STRING);
  },
  try: (call, write) =>
    attempts(call, write, (tries) => plainCode(`${write.file.support('attempt')}(${tries.join(', ')})`)),
  unsecret: lifted('unsecret'),
};

/** Writes a call of a function. */
export function callFunction(call: Call, write: ExpressionWriter): Code {
  const writer = Object.hasOwn(WRITERS, call.name) ? WRITERS[call.name] : undefined;
  if (writer === undefined) throw pclError(`unknown function '${call.name}'`, call.at);
  return writer(call, write);
}

function lengthText(text: string, { kind }: ValueType, write: ExpressionWriter): string {
  if (kind === 'list') return `${text}.length`;
  if (kind === 'map' || kind === 'object') return `Object.keys(${text}).length`;
  return `${write.file.support(kind === 'string' ? 'graphemes' : 'length')}(${text})`;
}

function recover({ args, at }: Call, write: ExpressionWriter): Code {
  const [value, otherwise] = args;
  if (value === undefined || otherwise === undefined) throw pclError('recover takes two arguments', at);
  const code = write.code(value);
  const name = write.parameter('error');
  const error = new Map([['error', plainCode(`String(${name})`, STRING)]]);
  const other = write.within(error, () => write.code(otherwise, code.type));
  const from = code.outputs === 'is' ? code.text : `${write.file.sdk('output')}(${code.text})`;
  return outputCode(`${write.file.sdk('recover')}(${from}, (${name}) => ${other.text})`, code.type);
}

/** Writes attempts: each argument may read missing properties of an existing value. */
function attempts({ args }: Call, write: ExpressionWriter, build: (tries: readonly string[]) => Code): Code {
  const tries = args.map((arg) => strict(arg, write));
  return write.operation(
    tries.map(({ root }) => root),
    (texts) => build(tries.map(({ path }, index) => `() => ${path(texts[index] ?? '')}`)),
  );
}

interface Strict {
  readonly root: Code;
  readonly path: (root: string) => string;
}

function strict(expression: Expression, write: ExpressionWriter): Strict {
  const code = (): Strict => ({ root: write.code(expression), path: (root) => root });
  if (expression.t !== 'property' && expression.t !== 'index') return code();
  const owner = strict(expression.of, write);
  if (owner.root.type.kind === 'resource') return code();
  const key =
    expression.t === 'property' ? plainCode(stringLiteral(expression.name)) : write.code(expression.key);
  if (key.outputs !== 'none') return code();
  return {
    root: owner.root,
    path: (root) => `${write.file.support('member')}(${owner.path(root)}, ${key.text})`,
  };
}

/** Writes an invoke of a provider function, in the form that accepts and returns outputs. */
function invoke({ args, at }: Call, write: ExpressionWriter): Code {
  const [token, ...given] = args;
  if (token?.t !== 'literal') throw pclError('invoke needs the token of a function', at);
  const { file } = write;
  const found = file.packages.function(String(token.value), at);
  const { positional } = found;
  const taken = positional.length > 0 ? positional.length : 1;
  const input = found.inputs;
  const object: ValueType = { kind: 'object', properties: () => input };
  const codes = given
    .slice(0, taken)
    .map((arg, index) =>
      write.code(arg, positional.length > 0 ? input.get(positional[index] ?? '') : object),
    );
  const texts = found.takesArguments ? codes.map(({ text }) => text) : [];
  const options = invokeOptions(given[taken], write);
  if (options !== undefined) {
    while (found.takesArguments && texts.length < taken)
      texts.push(positional.length > 0 ? 'undefined' : '{}');
    texts.push(options);
  }
  const callee = [file.packageName(found.package), ...found.path].reduce(memberText);
  return outputCode(`${callee}(${texts.join(', ')})`, found.result);
}

/** Options that have another name in this SDK than in programs. */
const RENAMED: Readonly<Record<string, string>> = { pluginDownloadUrl: 'pluginDownloadURL' };

function invokeOptions(options: Expression | undefined, write: ExpressionWriter): string | undefined {
  const items = options?.t === 'object' ? options.items : [];
  const members = items.map(({ key, value }): [string, string] => {
    const name = key.t === 'literal' ? String(key.value) : '';
    return [RENAMED[name] ?? name, write.code(value).text];
  });
  if (write.file.insideComponent && members.every(([name]) => name !== 'parent'))
    members.push(['parent', 'this']);
  return members.length === 0 ? undefined : objectText(members);
}

/** Writes a method call of a resource. */
function method({ args, at }: Call, write: ExpressionWriter): Code {
  const [target, name, given] = args;
  if (target === undefined || name?.t !== 'literal')
    throw pclError('call needs a resource and the name of a method', at);
  const owner = write.code(target);
  const found = owner.type.kind === 'resource' ? owner.type.members.method(String(name.value)) : undefined;
  if (found === undefined) throw pclError(`there is no method ${String(name.value)}`, name.at);
  const object: ValueType = { kind: 'object', properties: () => found.inputs };
  const text = `${memberText(operand(owner), found.name)}(${argumentsOf(given, object, found.inputs.size, write, at)})`;
  if (!found.plain) return { ...outputCode(text, found.type), only: found.only };
  if (write.file.insideComponent) throw pclError('a component cannot wait for a plain result', at);
  if (write.isInside) throw pclError('a loop, a range or an apply cannot wait for a plain result', at);
  return { ...plainCode(`await ${text}`, found.type, false), only: found.only };
}

function argumentsOf(
  given: Expression | undefined,
  type: ValueType,
  inputs: number,
  write: ExpressionWriter,
  at: Position,
): string {
  if (inputs === 0 || given === undefined) return '';
  if (given.t !== 'object') throw pclError('a method takes an object of arguments', at);
  const code = write.code(given, type);
  return given.items.length === 0 && outputsIn([code]) === 'none' ? '' : code.text;
}
