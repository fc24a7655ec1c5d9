// Words in which cases are written.

const HEAD = `
const pulumi = require('@pulumi/pulumi');
class Thing extends pulumi.CustomResource {
  constructor(name, props, opts) { super('probe:index:Thing', name, { computed: undefined, sealed: undefined, ...props }, opts); }
}
class Detailed extends pulumi.CustomResource {
  constructor(name, props, opts) { super('probe:index:Detailed', name, { computed: undefined, ...props }, opts); }
}
class Group extends pulumi.ComponentResource {
  constructor(name, props, opts) { super('shop:index:Group', name, props ?? {}, opts); }
}
class Provider extends pulumi.ProviderResource {
  constructor(name, props, opts) { super('probe', name, props ?? {}, opts); }
}
const config = new pulumi.Config();
`;

/** Returns a program under test: the common head and a body. */
export const program = (body) => ({ 'index.js': `${HEAD}${body.trim()}\n` });

const operation = (name, body, words = [], more = {}) => ({
  run: [name, ...words],
  ...(body === undefined ? {} : { files: program(body) }),
  ...more,
});

/** The operations; `body`: the program from here on. */
export const up = (body, words, more) => operation('up', body, words, more);
export const preview = (body, words, more) => operation('preview', body, words, more);
export const refresh = (words, more) => operation('refresh', undefined, words, more);
export const destroy = (words, more) => operation('destroy', undefined, words, more);
export const bring = (words, more) => operation('import', undefined, words, more);

/** Any other command; its JSON is kept. */
export const run = (...words) => ({ run: words });
/** Any other command whose plain output scripts take. */
export const prints = (...words) => ({ run: words, text: true });

export const test = (name, ...steps) => ({ name, files: program(''), steps });

/** `urn:…` of a resource of the stack. */
export const urn = (type, name) => `urn:pulumi:dev::shop::${type}::${name}`;
export const thing = (name) => urn('probe:index:Thing', name);
