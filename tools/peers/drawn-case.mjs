// Cases that are drawn by chance: a program that changes from step to step, and operations on it. Pure: the same
// numbers give the same case.
import { program } from './cases/steps.mjs';

/** Inputs that make the provider of the cases fail. */
const FAILING = ['failCreate', 'failUpdate', 'partly', 'failDelete'];
const TYPES = {
  Thing: 'probe:index:Thing',
  Detailed: 'probe:index:Detailed',
  Group: 'shop:index:Group',
  Provider: 'pulumi:providers:probe',
};
/** Options whose value is the variable of a resource, or a list of them. */
const REFERENCES = ['parent', 'provider', 'deletedWith'];
const REFERENCE_LISTS = ['dependsOn', 'providers', 'replaceWith'];

/** Returns a case with as many steps, before a destroy at the end. `random`: as `e2e/support/random.ts`. */
export function drawnCase(name, random, steps) {
  const draw = new Draw(random);
  const list = [{ run: ['up'], files: program(draw.text()) }];
  while (list.length < steps) list.push(draw.step());
  list.push({ run: ['destroy', ...draw.some(30, ['--refresh'])] });
  return { name, files: program(''), steps: list };
}

class Draw {
  #random;
  #count = 0;
  /** Resources in the order of the program: `{ kind, key, name, inputs, options, former }`. */
  #resources = [];

  constructor(random) {
    this.#random = random;
    for (let left = 2 + random.below(4); left > 0; left--) this.#add(this.#resources.length);
  }

  #chance(percent) {
    return this.#random.below(100) < percent;
  }

  #pick(items) {
    return this.#random.pick(items);
  }

  /** Returns the words, or none of them. */
  some(percent, words) {
    return this.#chance(percent) ? words : [];
  }

  /** Returns an operation or an edit of the state, most of them after changes to the program. */
  step() {
    const changed = (mayRename = true) => {
      this.#change(mayRename);
      return { files: program(this.text()) };
    };
    const target = (flag, more = []) => [
      ...this.#urns().flatMap((urn) => [flag, urn]),
      ...this.some(40, more),
    ];
    return this.#oneOf([
      [34, () => ({ run: ['up'], ...changed() })],
      [10, () => ({ run: ['preview'], ...changed() })],
      [6, () => ({ run: ['up', ...target('--target', ['--target-dependents'])], ...changed(false) })],
      [6, () => ({ run: ['up', ...target('--exclude')], ...changed(false) })],
      [5, () => ({ run: ['up', ...target('--replace')] })],
      [3, () => ({ run: ['up', ...target('--target-replace')], ...changed(false) })],
      [5, () => ({ run: ['up', '--refresh'], ...changed(), world: this.#world() })],
      [4, () => ({ run: ['up', '--continue-on-error'], ...changed() })],
      [7, () => ({ run: ['refresh', ...this.some(30, target('--target'))], world: this.#world() })],
      [5, () => ({ run: ['destroy', ...target('--target', ['--target-dependents'])] })],
      [2, () => ({ run: ['destroy', ...target('--exclude')] })],
      [2, () => ({ run: ['destroy', '--run-program'] })],
      [2, () => ({ run: ['destroy', '--continue-on-error'] })],
      [2, () => ({ run: ['state', this.#pick(['taint', 'protect', 'unprotect']), '--yes', this.#urn()] })],
      [
        2,
        () => ({ run: ['state', 'delete', '--yes', ...this.some(50, ['--target-dependents']), this.#urn()] }),
      ],
      [2, () => ({ run: ['state', 'rename', '--yes', this.#urn(), `n${++this.#count}`] })],
    ]);
  }

  /** Runs one of the functions, each as likely as its number says. */
  #oneOf(weighted) {
    let left = this.#random.below(weighted.reduce((sum, [weight]) => sum + weight, 0));
    return weighted.find(([weight]) => (left -= weight) < 0)[1]();
  }

  /** Returns the program. What it registers, exports and reads at its end is drawn anew. */
  text() {
    return [...this.#resources.map((resource) => this.#declaration(resource)), ...this.#ending()].join('\n');
  }

  #declaration({ kind, key, name, inputs, options, former }) {
    const value = (option, given) =>
      REFERENCES.includes(option)
        ? given
        : REFERENCE_LISTS.includes(option)
          ? `[${given.join(', ')}]`
          : JSON.stringify(given);
    const written = Object.entries(options).map(([option, given]) => `${option}: ${value(option, given)}`);
    if (former !== undefined) written.push(`aliases: [${former}]`);
    const properties = Object.entries(inputs).map(([property, text]) => `${property}: ${text}`);
    return `const ${key} = new ${kind}('${name}', { ${properties.join(', ')} }, { ${written.join(', ')} });`;
  }

  #ending() {
    const objects = this.#resources.filter(isObject);
    const lines = [];
    for (const { kind, key } of this.#resources)
      if (kind === 'Group' && this.#chance(50)) {
        const output = objects.length > 0 && this.#chance(50) ? `${this.#pick(objects).key}.computed` : '1';
        lines.push(`${key}.registerOutputs({ a: ${output}, b: pulumi.secret('out') });`);
      }
    if (objects.length > 0 && this.#chance(60)) {
      const output = this.#pick(['computed', 'id', 'urn', 'label', 'sealed', 'tags']);
      lines.push(`exports.one = ${this.#pick(objects).key}.${output};`);
    }
    if (this.#chance(30)) lines.push(`exports.two = pulumi.secret({ a: [${this.#random.below(3)}] });`);
    if (this.#chance(15)) lines.push(`new Thing('read', {}, { id: '${this.#pick(['there', 'x-1-1'])}' });`);
    if (this.#chance(2)) lines.push(`throw new Error('said: over');`);
    return lines;
  }

  #change(mayRename) {
    // A program that always fails would show nothing else.
    if (this.#chance(85)) this.#mend();
    for (let left = 1 + this.#random.below(3); left > 0; left--) {
      this.#changeOne(mayRename);
      this.#dropLostReferences();
    }
  }

  #changeOne(mayRename) {
    if (this.#resources.length < 3) return this.#add(this.#random.below(this.#resources.length + 1));
    const resource = this.#pick(this.#resources);
    const index = this.#resources.indexOf(resource);
    this.#oneOf([
      [15, () => this.#add(this.#random.below(this.#resources.length + 1))],
      [12, () => this.#resources.splice(index, 1)],
      [mayRename ? 8 : 0, () => this.#rename(resource)],
      [mayRename ? 7 : 0, () => this.#move(resource, index)],
      [25, () => this.#alter(resource, index)],
      [4, () => isObject(resource) && (resource.inputs[this.#pick(FAILING)] = `'no'`)],
      [15, () => this.#chooseOptions(resource, index)],
    ]);
  }

  #mend() {
    for (const { inputs } of this.#resources) for (const input of FAILING) delete inputs[input];
  }

  #add(index) {
    const number = ++this.#count;
    const kind = this.#pick(['Thing', 'Thing', 'Thing', 'Detailed', 'Detailed', 'Group', 'Provider']);
    const resource = { kind, key: `r${number}`, name: `n${number}`, inputs: {}, options: {} };
    this.#resources.splice(index, 0, resource);
    this.#alter(resource, index);
    resource.options = this.#options(resource, index);
  }

  #rename(resource) {
    const { name } = resource;
    resource.name = `n${++this.#count}`;
    if (this.#chance(70)) resource.former = `{ name: '${name}' }`;
  }

  /** Gives a resource another parent. The former one may be gone by the time of the alias. */
  #move(resource, index) {
    const { parent } = resource.options;
    const next = this.#options(resource, index).parent;
    if (parent === next) return;
    resource.options = { ...resource.options, parent: next };
    if (next === undefined) delete resource.options.parent;
    if (this.#chance(70)) resource.former = '{ parent: pulumi.rootStackResource }';
  }

  /** Chooses other options, but leaves the parent: another one is another resource. */
  #chooseOptions(resource, index) {
    const { parent } = resource.options;
    const { parent: _, ...others } = this.#options(resource, index);
    resource.options = { ...others, ...(parent !== undefined && { parent }) };
  }

  #alter(resource, index) {
    if (resource.kind === 'Provider') resource.inputs = { region: this.#pick([`'north'`, `'south'`]) };
    else if (isObject(resource)) Object.assign(resource.inputs, this.#inputs(index));
  }

  #inputs(index) {
    const earlier = this.#resources.slice(0, index).filter(isObject);
    const from = (output, other) =>
      earlier.length > 0 && this.#chance(40) ? `${this.#pick(earlier).key}.${output}` : other;
    const number = () => String(this.#random.below(3));
    const tags = [
      ...[`{ one: ${number()}, two: 2 }`, `{ one: pulumi.secret(${number()}), two: 2 }`, 'null'],
      ...[`{ one: { deep: [${number()}, pulumi.secret('in')] } }`, `[1, ${number()}, { a: 'b' }]`],
      ...[`{ one: ${from('computed', '1')} }`, 'pulumi.secret({ one: 1 })'],
    ];
    return Object.fromEntries([
      ...this.some(60, [['label', from('computed', `'${this.#pick(['x', 'y', 'z'])}'`)]]),
      ...this.some(40, [['size', number()]]),
      ...this.some(35, [['fixed', from('id', number())]]),
      ...this.some(20, [['pinned', number()]]),
      ...this.some(15, [['token', `pulumi.secret('${this.#pick(['s1', 's2'])}')`]]),
      ...this.some(25, [['tags', this.#pick(tags)]]),
    ]);
  }

  #options({ kind }, index) {
    const earlier = this.#resources.slice(0, index);
    const keys = (...kinds) => earlier.filter((each) => kinds.includes(each.kind)).map(({ key }) => key);
    const [objects, groups, providers] = [keys('Thing', 'Detailed'), keys('Group'), keys('Provider')];
    const one = (percent, option, of) =>
      of.length === 0 ? [] : this.some(percent, [[option, this.#pick(of)]]);
    const list = (percent, option, of) => one(percent, option, of).map(([, key]) => [option, [key]]);
    const parent = [...one(10, 'parent', objects), ...one(35, 'parent', groups)];
    const needs = list(20, 'dependsOn', keys(...Object.keys(TYPES)));
    if (kind === 'Provider') return Object.fromEntries(needs);
    const protect = this.some(10, [['protect', true]]);
    if (kind === 'Group')
      return Object.fromEntries([...parent, ...needs, ...protect, ...list(30, 'providers', providers)]);
    const inputs = ['label', 'size', 'fixed', 'tags.one', 'tags'];
    return Object.fromEntries([
      ...[...parent, ...needs, ...protect, ...one(30, 'provider', providers)],
      ...this.some(10, [['retainOnDelete', true]]),
      ...one(15, 'deleteBeforeReplace', [true, true, true, false]),
      ...one(12, 'deletedWith', objects),
      ...list(10, 'replaceWith', objects),
      ...list(10, 'ignoreChanges', inputs),
      ...list(10, 'replaceOnChanges', ['*', ...inputs]),
      ...list(8, 'additionalSecretOutputs', ['computed', 'label']),
      ...one(8, 'replacementTrigger', ['one', 'two']),
      ...list(5, 'hideDiffs', ['label', 'size']),
      ...this.some(5, [['customTimeouts', { create: '5m' }]]),
    ]);
  }

  /** Takes away what refers to a resource that is gone, or that comes later now. */
  #dropLostReferences() {
    this.#resources.forEach(({ inputs, options }, index) => {
      const known = this.#resources.slice(0, index).map(({ key }) => key);
      for (const [input, text] of Object.entries(inputs))
        if ([...text.matchAll(/\b(r\d+)\./g)].some(([, key]) => !known.includes(key))) inputs[input] = `'x'`;
      for (const option of REFERENCES) if (!known.includes(options[option])) delete options[option];
      for (const option of REFERENCE_LISTS) {
        options[option] = options[option]?.filter((key) => known.includes(key));
        if (!options[option]?.length) delete options[option];
      }
    });
  }

  /** Objects that are gone, that have drifted, or that cannot be read. */
  #world() {
    const answers = [
      null,
      { fail: 'no answer' },
      { outputs: { size: 7, label: 'drift' }, inputs: { size: 7 } },
    ];
    const number = (text = '0') => (/^\d+$/.test(text) ? text : '0');
    return Object.fromEntries(
      this.#resources
        .filter((resource) => isObject(resource) && this.#chance(25))
        .map(({ name, inputs }) => [
          `${name}-${number(inputs.fixed)}-${number(inputs.pinned)}`,
          this.#pick(answers),
        ]),
    );
  }

  #urns() {
    return [...new Set([this.#urn(), ...this.some(30, [this.#urn()])])];
  }

  #urn() {
    const { kind, name, options } = this.#pick(this.#resources);
    const types = [TYPES[kind]];
    for (let { parent } = options; parent !== undefined;) {
      const above = this.#resources.find(({ key }) => key === parent);
      types.unshift(TYPES[above.kind]);
      parent = above.options.parent;
    }
    return `urn:pulumi:dev::shop::${types.join('$')}::${name}`;
  }
}

const isObject = ({ kind }) => kind === 'Thing' || kind === 'Detailed';
