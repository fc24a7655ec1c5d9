import { ITEM, pclError } from '@cairn/pcl';
import type { Expression, For, ObjectItem, Position } from '@cairn/pcl';
import { unreachable } from '@cairn/diagnostics';
import { numberLiteral, propertyKey, stringLiteral, templateLiteral } from '../source/literal.js';
import {
  bracketed,
  lastWord,
  memberPair,
  memberText,
  operand,
  outputCode,
  outputsIn,
  plainCode,
} from './code.js';
import type { Code } from './code.js';
import { callFunction } from './functions.js';
import type { ExpressionWriter, FileWriter } from './file-writer.js';
import { ANY, BOOLEAN, NUMBER, STRING } from './value-type.js';
import type { ValueType } from './value-type.js';

/** Members of an output itself, not of its value. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['apply', 'toString', 'toJSON', 'then', 'constructor']);

/**
 * Writes expressions. Values that are not known yet remain outputs: an operation on outputs is inside an `apply`, while
 * lists, objects and properties accept outputs directly.
 */
export class Expressions implements ExpressionWriter {
  /** Names in scope, from the outermost to the innermost. Names with a zero byte are only reserved. */
  readonly #locals: Map<string, Code>[] = [];

  constructor(readonly file: FileWriter) {}

  code(expression: Expression, to: ValueType = ANY): Code {
    switch (expression.t) {
      case 'literal':
        return literal(expression.value, to);
      case 'template':
        return this.#template(expression.parts);
      case 'list':
        return this.#list(expression.items, to);
      case 'object':
        return this.#object(expression.items, to, expression.at);
      default:
        return this.#converted(this.#bare(expression), to);
    }
  }

  #bare(expression: Exclude<Expression, { readonly t: 'literal' | 'template' | 'list' | 'object' }>): Code {
    switch (expression.t) {
      case 'name':
        return this.#name(expression.name, expression.at);
      case 'property':
        return this.#property(expression.of, expression.name, expression.at);
      case 'index':
        return this.#index(expression.of, expression.key, expression.at);
      case 'splat':
        return this.#splat(expression.of, expression.rest);
      case 'call':
        return callFunction(expression, this);
      case 'unary': {
        const { operator } = expression;
        const type = operator === '!' ? BOOLEAN : NUMBER;
        const of = operator === '!' ? this.#test(expression.operand) : this.code(expression.operand, type);
        return this.operation([of], ([text = '']) => plainCode(`${operator}${text}`, type, false));
      }
      case 'binary':
        return this.#binary(expression);
      case 'conditional': {
        const test = this.#test(expression.test);
        return this.operation([test], ([text = '']) => {
          const [yes, no] = [this.code(expression.yes), this.code(expression.no)];
          const type = yes.type.kind === no.type.kind ? yes.type : ANY;
          const outputs = outputsIn([yes, no]);
          return { text: `${text} ? ${operand(yes)} : ${operand(no)}`, type, outputs, atom: false };
        });
      }
      case 'for':
        return this.#for(expression);
      default:
        return unreachable(expression);
    }
  }

  get isInside(): boolean {
    return this.#locals.length > 0;
  }

  operation(operands: readonly Code[], build: (texts: readonly string[]) => Code): Code {
    const eventual = operands.filter(({ outputs }) => outputs !== 'none');
    if (eventual.length === 0) return build(operands.map(operand));
    const scope = new Map<string, Code>();
    const names = new Map<Code, string>();
    for (const each of eventual) {
      if (names.has(each)) continue;
      const word = lastWord(each.text);
      const free = this.parameter(word, [...names.values()]);
      const name = free === word ? word : this.parameter('value', [...names.values()]);
      names.set(each, name);
      scope.set(`\0${name}`, plainCode(name, each.type));
    }
    const built = this.within(scope, () => build(operands.map((each) => names.get(each) ?? operand(each))));
    const [first] = eventual;
    const sources = [...names.keys()];
    const from =
      sources.length > 1
        ? `${this.file.sdk('all')}([${sources.map(({ text }) => text).join(', ')}])`
        : first?.outputs === 'is'
          ? operand(first)
          : `${this.file.sdk('output')}(${first?.text ?? ''})`;
    const given =
      sources.length > 1 ? `([${[...names.values()].join(', ')}])` : `(${[...names.values()].join('')})`;
    const body = built.outputs === 'has' ? `${this.file.sdk('output')}(${built.text})` : built.text;
    const text = `${from}.apply(${given} => ${body.startsWith('{') ? `(${body})` : body})`;
    return outputCode(text, built.type);
  }

  within<T>(names: ReadonlyMap<string, Code>, write: () => T): T {
    this.#locals.push(new Map(names));
    try {
      return write();
    } finally {
      this.#locals.pop();
    }
  }

  parameter(wanted: string, more: readonly string[] = []): string {
    const inner = this.#locals.flatMap((scope) => [...scope.values()].map(({ text }) => text));
    return this.file.freeName(wanted, [...inner, ...more]);
  }

  #name(name: string, at: Position): Code {
    const local = this.#locals.findLast((scope) => scope.has(name))?.get(name);
    return local ?? this.file.declared(name, undefined, at);
  }

  #property(of: Expression, name: string, at: Position): Code {
    const owner =
      of.t === 'name' && of.name === 'range'
        ? this.#locals.findLast((scope) => scope.has(`range.${name}`))?.get(`range.${name}`)
        : undefined;
    if (owner !== undefined) return owner;
    if (of.t === 'name' && this.#locals.every((scope) => !scope.has(of.name))) {
      const later = this.file.declared(of.name, name, at);
      if (later.only === name) return { ...later, only: undefined };
    }
    return this.member(this.code(of), name, at);
  }

  member(of: Code, name: string, at: Position): Code {
    if (of.only === name) return { ...of, only: undefined };
    const { type } = of;
    if (type.kind === 'resource') {
      const member = type.members.output(name);
      if (member === undefined) throw pclError(`${type.className} has no property ${name}`, at);
      return outputCode(memberText(operand(of), member.name), member.type);
    }
    const found = memberType(type, name);
    if (of.outputs === 'is' && !OWN_MEMBERS.has(name))
      return outputCode(memberText(operand(of), name), found);
    if (of.outputs === 'has')
      return outputCode(`${this.file.sdk('output')}(${memberText(operand(of), name)})`, found);
    return this.operation([of], ([text = '']) => plainCode(memberText(text, name), found));
  }

  #index(of: Expression, key: Expression, at: Position): Code {
    const owner = this.code(of);
    if (key.t === 'literal' && typeof key.value === 'string') return this.member(owner, key.value, at);
    const index = this.code(key);
    const type = owner.type.kind === 'list' || owner.type.kind === 'map' ? owner.type.item : ANY;
    const text = `${operand(owner)}[${index.text}]`;
    if (owner.outputs === 'is' && index.outputs === 'none') return outputCode(text, type);
    if (type.kind === 'resource' && index.outputs === 'none') return plainCode(text, type);
    return this.operation([owner, index], ([from = '', at = '']) => plainCode(`${from}[${at}]`, type));
  }

  #splat(of: Expression, rest: Expression): Code {
    const from = this.code(of);
    return this.operation([from], ([text = '']) => {
      const listed = from.type.kind === 'list' ? text : `${this.file.support('list')}(${text})`;
      const name = this.parameter('item');
      const item = plainCode(name, from.type.kind === 'list' ? from.type.item : ANY);
      const each = this.within(new Map([[ITEM, item]]), () => this.code(rest));
      const type: ValueType = { kind: 'list', item: each.type };
      return {
        text: `${listed}.map((${name}) => ${each.text})`,
        type,
        outputs: outputsIn([each]),
        atom: true,
      };
    });
  }

  #binary({ operator, left, right }: Extract<Expression, { readonly t: 'binary' }>): Code {
    if (operator === '==' || operator === '!=') return this.#equality(operator, left, right);
    const logical = operator === '&&' || operator === '||';
    const arithmetic = ['+', '-', '*', '/', '%'].includes(operator);
    const sides = [left, right].map((side) => (logical ? this.#test(side) : this.#number(side)));
    return this.operation(sides, ([a = '', b = '']) =>
      plainCode(`${a} ${operator} ${b}`, arithmetic ? NUMBER : BOOLEAN, false),
    );
  }

  /** Compares values. Lists and objects are equal by their content. */
  #equality(operator: '==' | '!=', left: Expression, right: Expression): Code {
    const sides = [this.code(left), this.code(right)];
    const isNull = [left, right].some((side) => side.t === 'literal' && side.value === null);
    const byIdentity = sides.some(({ type }) => isScalar(type) || type.kind === 'resource');
    return this.operation(sides, ([a = '', b = '']) => {
      if (isNull || byIdentity) return plainCode(`${a} ${operator}${isNull ? '' : '='} ${b}`, BOOLEAN, false);
      return plainCode(`${operator === '!=' ? '!' : ''}${this.file.support('same')}(${a}, ${b})`, BOOLEAN);
    });
  }

  #template(parts: readonly Expression[]): Code {
    const made = parts.map((part): string | Code =>
      part.t === 'literal' && typeof part.value === 'string' ? part.value : this.code(part),
    );
    const text = templateLiteral(made.map((part) => (typeof part === 'string' ? part : { code: part.text })));
    const isPlain = made.every((part) => typeof part === 'string' || part.outputs === 'none');
    return isPlain ? plainCode(text, STRING) : outputCode(`${this.file.sdk('interpolate')}${text}`, STRING);
  }

  #list(items: readonly Expression[], to: ValueType): Code {
    const wanted = to.kind === 'list' ? to.item : ANY;
    const codes = items.map((item) => this.code(item, wanted));
    const first = codes[0]?.type;
    const same = first !== undefined && codes.every(({ type }) => type.kind === first.kind);
    return {
      text: bracketed(
        '[',
        codes.map(({ text }) => text),
        ']',
      ),
      type: { kind: 'list', item: same ? first : ANY },
      outputs: outputsIn(codes),
      atom: true,
    };
  }

  #object(items: readonly ObjectItem[], to: ValueType, at: Position): Code {
    const known = to.kind === 'object' ? to.properties() : undefined;
    const members = items.map(({ key, value }) => {
      const name = key.t === 'literal' ? String(key.value) : undefined;
      const wanted = to.kind === 'map' ? to.item : name === undefined ? undefined : known?.get(name);
      return { name, key: this.code(key, STRING), value: this.code(value, wanted ?? ANY) };
    });
    const keys = members.filter(({ name }) => name === undefined).map(({ key }) => key);
    if (outputsIn(keys) !== 'none') throw pclError('the key of an object cannot depend on an output', at);
    const texts = members.map(({ name, key, value }) => {
      return memberPair(name === undefined ? `[${key.text}]` : propertyKey(name), value.text);
    });
    const types = new Map(
      members.flatMap(({ name, value }) => (name === undefined ? [] : [[name, value.type]])),
    );
    return {
      text: bracketed('{', texts, '}'),
      type: keys.length > 0 ? ANY : { kind: 'object', properties: () => types },
      outputs: outputsIn(members.map(({ value }) => value)),
      atom: true,
    };
  }

  #for(loop: For): Code {
    const from = this.code(loop.of);
    return this.operation([from], ([text = '']) => this.#loop(loop, text, from.type));
  }

  #loop(loop: For, from: string, type: ValueType): Code {
    const { keyName, valueName, key } = loop;
    const item = type.kind === 'list' || type.kind === 'map' ? type.item : ANY;
    const isList = type.kind === 'list';
    const valueText = this.parameter(valueName.replaceAll('-', '_'));
    const keyText = this.parameter((keyName ?? '_').replaceAll('-', '_'), [valueText]);
    const names = new Map([[valueName, plainCode(valueText, item)]]);
    if (keyName !== undefined) names.set(keyName, plainCode(keyText, isList ? NUMBER : STRING));
    const listed = isList ? from : `${this.file.support('pairs')}(${from})`;
    const usesKey = keyName !== undefined && keyName !== '_';
    const given = isList
      ? `(${valueText}${usesKey ? `, ${keyText}` : ''})`
      : `([${usesKey ? keyText : ''}, ${valueText}])`;
    const made = this.within(names, () => this.#loopItem(loop));
    const mapped = `${listed}.${made.lists === 'now' ? 'flatMap' : 'map'}(${given} => ${made.text})`;
    const built: ValueType = { kind: 'list', item: made.type };
    const isOwnKey = !isList && !loop.group && key?.t === 'name' && key.name === keyName;
    const whole = (text: string, outputs: Code['outputs']): Code => {
      if (key === undefined) return { text, type: built, outputs, atom: true };
      const object = isOwnKey ? 'Object.fromEntries' : this.file.support(loop.group ? 'grouped' : 'keyed');
      return {
        text: `${object}(${text})`,
        type: { kind: 'map', item: loop.group ? built : made.type },
        outputs,
        atom: true,
      };
    };
    if (!made.decidedLater) return whole(mapped, made.outputs);
    const later: Code = { text: mapped, type: ANY, outputs: 'has', atom: true };
    return this.operation([later], ([text = '']) =>
      whole(made.lists === 'later' ? `${text}.flat()` : text, 'none'),
    );
  }

  /**
   * Writes one item of a loop: with a condition a list of one or none, with a key the key and the value.
   * `decidedLater`: outputs decide about the items or their keys, so that the result is only known with them.
   */
  #loopItem({ key, value, test }: For): Code & {
    readonly lists: 'now' | 'later' | 'never';
    readonly decidedLater: boolean;
  } {
    const passes = test === undefined ? undefined : this.#test(test);
    const item = (): Code => {
      const made = this.code(value);
      if (key === undefined) return made;
      const name = this.code(key, STRING);
      const outputs = outputsIn([name, made]);
      return { text: `[${name.text}, ${made.text}]`, type: made.type, outputs, atom: true };
    };
    const hasLaterKey = key !== undefined && this.code(key).outputs !== 'none';
    if (passes === undefined) {
      const made = item();
      const text = made.text.startsWith('{') ? `(${made.text})` : operand(made);
      return { ...made, text, lists: 'never', decidedLater: hasLaterKey };
    }
    const listed = (condition: string): Code => {
      const made = item();
      const text = `${condition} ? [${key === undefined ? operand(made) : made.text}] : []`;
      return { text, type: made.type, outputs: outputsIn([made]), atom: false };
    };
    if (passes.outputs !== 'none')
      return {
        ...this.operation([passes], ([text = '']) => listed(text)),
        lists: 'later',
        decidedLater: true,
      };
    const made = listed(passes.text);
    return { ...made, text: operand(made), lists: hasLaterKey ? 'later' : 'now', decidedLater: hasLaterKey };
  }

  /** Writes a condition: true or false, whatever the type of the value. */
  #test(expression: Expression): Code {
    const code = this.code(expression, expression.t === 'literal' ? BOOLEAN : ANY);
    if (code.type.kind === 'boolean') return code;
    return this.operation([code], ([text = '']) =>
      plainCode(`${this.file.support('truth')}(${text})`, BOOLEAN),
    );
  }

  /** Writes a number, whatever the type of the value. */
  #number(expression: Expression): Code {
    const code = this.code(expression, NUMBER);
    return code.type.kind === 'any'
      ? this.operation([code], ([text = '']) => plainCode(`Number(${text})`, NUMBER))
      : code;
  }

  #converted(code: Code, to: ValueType): Code {
    const conversion = conversionOf(code.type, to);
    if (conversion === undefined) return code;
    return this.operation([code], ([text = '']) => plainCode(conversion(text), to, to.kind !== 'boolean'));
  }
}

/** Returns the conversion from one scalar type to another. Undefined if the value remains unchanged. */
function conversionOf(from: ValueType, to: ValueType): ((text: string) => string) | undefined {
  if (from.kind === to.kind || !isScalar(from)) return undefined;
  if (to.kind === 'number') return (text) => `Number(${text})`;
  if (to.kind === 'boolean' && from.kind === 'string') return (text) => `${text} === 'true'`;
  if (to.kind === 'string') return (text) => `String(${text})`;
  return undefined;
}

function isScalar({ kind }: ValueType): boolean {
  return kind === 'string' || kind === 'number' || kind === 'boolean';
}

function literal(value: string | number | boolean | null, to: ValueType): Code {
  if (
    typeof value === 'string' &&
    to.kind === 'number' &&
    value.trim() !== '' &&
    !Number.isNaN(Number(value))
  )
    return literal(Number(value), to);
  if (to.kind === 'boolean' && (value === 'true' || value === 'false')) return literal(value === 'true', to);
  if (to.kind === 'string' && value !== null) return plainCode(stringLiteral(String(value)), STRING);
  if (typeof value === 'string') return plainCode(stringLiteral(value), STRING);
  if (typeof value === 'number') return plainCode(numberLiteral(value), NUMBER, value >= 0);
  return plainCode(String(value), value === null ? ANY : BOOLEAN);
}

function memberType(type: ValueType, name: string): ValueType {
  if (type.kind === 'map') return type.item;
  return (type.kind === 'object' ? type.properties().get(name) : undefined) ?? ANY;
}
