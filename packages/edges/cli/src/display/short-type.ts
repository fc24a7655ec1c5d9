/**
 * Returns a type token in its short form. The file of a module is omitted if it only repeats the name:
 * `random:index/randomString:RandomString` becomes `random:index:RandomString`.
 */
export function shortType(type: string): string {
  if (!type.includes('/')) return type;
  const [pack, module, name, ...more] = type.split(':');
  if (module === undefined || name === undefined || more.length > 0) return type;
  const slash = module.lastIndexOf('/');
  const file = module.slice(slash + 1);
  const repeats = slash >= 0 && file === name.slice(0, 1).toLowerCase() + name.slice(1);
  return repeats ? `${pack}:${module.slice(0, slash)}:${name}` : type;
}
