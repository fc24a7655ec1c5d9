/**
 * A type token as people read it: the file of a module is left out where it only repeats the name, as in
 * `random:index/randomString:RandomString`, which is `random:index:RandomString`.
 */
export function shortType(type: string): string {
  const [pack, module, name, ...more] = type.split(':');
  if (module === undefined || name === undefined || more.length > 0) return type;
  const slash = module.lastIndexOf('/');
  const file = module.slice(slash + 1);
  const repeats = slash >= 0 && file === name.slice(0, 1).toLowerCase() + name.slice(1);
  return repeats ? `${pack}:${module.slice(0, slash)}:${name}` : type;
}
