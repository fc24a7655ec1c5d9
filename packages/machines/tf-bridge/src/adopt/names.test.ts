import { parseProvider, parseResource } from '../state-file/address.js';
import { addressOfName, identifierLike, logicalName, providerName, providerOfName } from './names.js';

test.each([
  ['random_pet.a', 'a'],
  ['random_pet.a[0]', 'a[0]'],
  ['module.m.random_pet.a["x.y"]', 'module.m.a["x.y"]'],
  ['module.m["k"].module.n[1].random_pet.module', 'module.m["k"].module.n[1].module'],
])('%s is called %s in a stack, and the other way round [TFF-4]', (text, name) => {
  const address = parseResource(text);
  expect(address && logicalName(address)).toBe(name);
  expect(addressOfName('random_pet', name)).toEqual(address);
});

test.each(['', 'a.b', 'module.a', 'my name', 'a[x]'])('%j is the name of no address', (name) => {
  expect(addressOfName('random_pet', name)).toBeUndefined();
});

test.each([
  ['provider["h.x/n/random"]', undefined],
  ['provider["h.x/n/random"].random', 'random.random'],
  ['module.random.provider["h.x/n/random"]', 'module.random.random'],
  ['module.m.provider["h.x/n/random"].two["eu"]', 'module.m.random.two["eu"]'],
])('%s is the provider %s of a stack, and the other way round [TFF-4]', (text, name) => {
  const address = parseProvider(text);
  expect(address && providerName(address)).toBe(name);
  if (name !== undefined) expect(providerOfName('h.x/n/random', name)).toEqual(address);
});

test.each(['', 'other', 'other.random', 'random.a.b', 'random[0].a'])(
  '%j is the name of no configuration',
  (name) => {
    expect(providerOfName('h.x/n/random', name)).toBeUndefined();
  },
);

test.each([
  ['a-b', 'a-b'],
  ['my name', 'my_name'],
  ['1', '_1'],
  ['', '_'],
])('%j becomes %s', (text, name) => {
  expect(identifierLike(text)).toBe(name);
});
