import type { PropertyModel } from '../schema/model.js';
import { propertyKey, stringLiteral } from '../source/literal.js';
import { plainCode } from '../source/plain-code.js';
import { defaultSpec } from './shape-code.js';
import { TypeWriter, doc } from './type-writer.js';
import type { TypeContext } from './type-writer.js';

/** Returns the package's configuration in the stack, as a file that is loaded when a value is read. */
export function configCode(variables: readonly PropertyModel[]): string {
  const getters = variables.map((variable) => {
    const { name, secret } = variable;
    const how = plainCode({
      text: isText(variable),
      secret: secret ? true : undefined,
      standard: defaultSpec(variable),
    });
    return `    get ${propertyKey(name)}() {\n      return pkg.configured(${stringLiteral(name)}, ${how});\n    },\n`;
  });
  return `module.exports = (pkg) => ({\n  config: {\n${getters.join('')}  },\n});\n`;
}

/** Returns the declarations of the configuration. */
export function configTypes(variables: readonly PropertyModel[], context: TypeContext): string {
  const writer = new TypeWriter(context, '', ['config']);
  const members = variables.map((variable) => {
    const type = writer.property(variable, 'outputs');
    const given = variable.secret ? `${writer.sdk('Output')}<${type}>` : type;
    const always = variable.standard?.value !== undefined;
    return `${doc(variable, 'inputs')}  readonly ${propertyKey(variable.name)}: ${given}${always ? '' : ' | undefined'};\n`;
  });
  const text = `/** What is configured for the package in this stack. */\nexport declare const config: {\n${members.join('')}};\n`;
  const imports = writer.imports();
  return imports === '' ? text : `${imports}\n${text}`;
}

function isText({ type, constant }: PropertyModel): boolean {
  if (type.kind === 'union')
    return type.members.some((member) => isText({ type: member, constant } as PropertyModel));
  return type.kind === 'string' || type.kind === 'json' || type.kind === 'enum';
}
