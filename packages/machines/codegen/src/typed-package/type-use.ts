import type { PackageModel, PropertyModel, TypeModel } from '../schema/model.js';

/**
 * Form of an object type: `inputs`, where any part may be an output; `plain`, where none may; `outputs`, as the engine
 * returns it.
 */
export type TypeForm = 'inputs' | 'plain' | 'outputs';

export const TYPE_FORMS: readonly TypeForm[] = ['inputs', 'plain', 'outputs'];

/** Object types that are used in each form, by token. */
export type TypeUse = Readonly<Record<TypeForm, ReadonlySet<string>>>;

/** Collects the types in all parts of the package. Recursive types are visited once. */
export function typeUse(model: PackageModel): TypeUse {
  const used = { inputs: new Set<string>(), plain: new Set<string>(), outputs: new Set<string>() };
  const properties = (list: readonly PropertyModel[], form: TypeForm): void => {
    for (const property of list) follow(property.type, property.plain && form === 'inputs' ? 'plain' : form);
  };
  const follow = (type: TypeModel, form: TypeForm): void => {
    if (type.kind === 'union') for (const member of type.members) follow(member, form);
    if (type.kind === 'array' || type.kind === 'map')
      follow(type.items.type, type.items.plain && form === 'inputs' ? 'plain' : form);
    if (type.kind !== 'object' || used[form].has(type.token)) return;
    used[form].add(type.token);
    properties(model.objects.get(type.token)?.properties ?? [], form);
  };
  for (const { inputs, outputs, state, methods } of [model.provider, ...model.resources]) {
    properties(inputs, 'inputs');
    properties(state ?? [], 'inputs');
    properties(outputs, 'outputs');
    for (const { function: method } of methods) properties(method.inputs, 'inputs');
  }
  for (const { inputs } of model.functions) {
    properties(inputs, 'inputs');
    properties(inputs, 'plain');
  }
  const asked = [...model.functions, ...[model.provider, ...model.resources].flatMap(methodsOf)];
  for (const { result } of asked) {
    if (result.kind === 'object') properties(result.properties, 'outputs');
    if (result.kind === 'value') follow(result.type, 'outputs');
  }
  properties(model.config, 'outputs');
  return used;
}

function methodsOf({ methods }: PackageModel['provider']) {
  return methods.map((method) => method.function);
}
