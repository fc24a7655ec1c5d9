import type { EnumModel } from '../schema/model.js';
import { docComment } from '../source/doc-comment.js';
import { propertyKey, stringLiteral } from '../source/literal.js';
import type { Module, PlacedType } from './layout.js';
import { TYPE_FORMS } from './type-use.js';
import type { TypeForm } from './type-use.js';
import { TypeWriter } from './type-writer.js';
import type { TypeContext } from './type-writer.js';

const ABOUT: Readonly<Record<TypeForm, string>> = {
  inputs: 'Object types as programs give them: any part may be an output.',
  plain: 'Object types whose parts may not be outputs.',
  outputs: 'Object types as outputs have them.',
};

/** Returns the object types of a module, one file per form; no file for an unused form. */
export function objectTypes(module: Module, context: TypeContext): readonly (readonly [TypeForm, string])[] {
  return TYPE_FORMS.flatMap((form) => {
    const used = module.objects.filter(({ model }) => context.use[form].has(model.token));
    if (used.length === 0) return [];
    const writer = new TypeWriter(
      context,
      module.folder,
      used.map(({ name }) => name),
      form,
    );
    const interfaces = used.map(({ model, name }) =>
      writer.interface(name, model.properties, form, model.description),
    );
    const imports = writer.imports();
    return [
      [
        form,
        `/** ${ABOUT[form]} */\n${imports}${imports === '' ? '' : '\n'}${interfaces.join('\n')}`,
      ] as const,
    ];
  });
}

/** Returns the file with the values of a module's enums. */
export function enumCode(enums: readonly PlacedType<EnumModel>[]): string {
  const rows = enums.map(({ model, name }) => `  ${name}: {\n${values(model, '    ', ',')}  },\n`);
  return `module.exports = () => ({\n${rows.join('')}});\n`;
}

/** Returns the declarations of a module's enums. */
export function enumTypes(enums: readonly PlacedType<EnumModel>[]): string {
  return enums
    .map(({ model, name }) => {
      const comment = docComment(model);
      const type = model.members.length === 0 ? 'never' : `(typeof ${name})[keyof typeof ${name}]`;
      const members = values(model, '  readonly ', ';', true);
      return `${comment}export declare const ${name}: {\n${members}};\n${comment}export type ${name} = ${type};\n`;
    })
    .join('\n');
}

function values({ members }: EnumModel, start: string, end: string, withComments = false): string {
  const named = new Map<string, string>();
  for (const member of members) {
    let name = member.name;
    while (named.has(name)) name += '_';
    const value = typeof member.value === 'string' ? stringLiteral(member.value) : String(member.value);
    const comment = withComments ? docComment(member, '  ') : '';
    named.set(name, `${comment}${start}${propertyKey(name)}: ${value}${end}\n`);
  }
  return [...named.values()].join('');
}
