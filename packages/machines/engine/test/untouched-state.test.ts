import { withEntry } from '@cairn/state';
import { MockWorld, runScenario } from '@cairn/testkit';

test('a destroy works on the entries of its state as they are', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const { snapshot } = await runScenario({
    providers,
    program: async ({ resource }) => void (await resource('pkgA:m:typA', 'a')),
  });
  const dependsOnNothing = { size: [] };
  const resources = snapshot.resources.map((entry) =>
    withEntry(entry, { propertyDependencies: dependsOnNothing }),
  );
  const { store, names } = await runScenario({
    kind: 'destroy',
    providers,
    prior: { ...snapshot, resources },
  });
  const begun = store.records.find((record) => JSON.stringify(record).includes('"deleting"'));
  expect(begun).toMatchObject({
    entry: { operation: { resource: { propertyDependencies: dependsOnNothing } } },
  });
  expect(names).toEqual([]);
});
