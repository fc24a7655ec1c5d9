import path from 'node:path';
import type { ConformanceCase, Seen } from './run-case.js';

/** Programs that receive resources from components: those of ./components.mjs. On our SDK, whose classes they use. */

const PLUGIN = `#!/usr/bin/env node\nimport(${JSON.stringify(path.join(__dirname, 'components.mjs'))});\n`;

const HEAD = `
import * as pulumi from '@cairn/sdk';
class Custom extends pulumi.CustomResource {
  constructor(name: string, args: object) { super('component:index:Custom', name, args); }
  get value(): pulumi.Output<string> { return this.outputOf('value'); }
}
pulumi.registerResourceClass('component:index:Custom', Custom);
const remote = (type: string, name: string, args: object) =>
  new pulumi.ComponentResource('component:index:' + type, name, args, {}, true);
const component1 = remote('RefOutput', 'component1', { value: 'foo-bar-baz' });
const ref = component1.outputOf<Custom>('ref');
`;

const caseOf = (id: string, text: string, check: (seen: Seen) => void): ConformanceCase => ({
  id,
  sdk: '@cairn/sdk',
  project:
    'name: conformance\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n' +
    '    - name: component\n      path: plugin\n      version: 13.3.7\n',
  files: { 'plugin/pulumi-resource-component': PLUGIN, 'index.ts': HEAD + text },
  runs: [
    {
      preview: (end) =>
        expect([end.code, end.text]).toEqual([0, expect.stringContaining('component:index:')]),
      check,
    },
  ],
});

export const LEVEL_2_COMPONENTS: readonly ConformanceCase[] = [
  caseOf(
    'l2-component-program-resource-ref',
    `const custom1 = new Custom('custom1', { value: component1.outputOf('value') });
     const custom2 = new Custom('custom2', { value: ref.value });
     void custom1; void custom2;
     export const isTyped = ref.apply((it) => it instanceof Custom), id = ref.id;`,
    (seen) => {
      for (const name of ['custom1', 'custom2', 'component1-child'])
        expect(seen.entry(name)).toMatchObject({
          inputs: { value: 'foo-bar-baz' },
          outputs: { value: 'foo-bar-baz' },
        });
      expect(seen.outputs).toEqual({ isTyped: true, id: 'id-component1-child' });
      expect(seen.entry('custom2')['dependencies']).toContain(seen.entry('component1-child').urn);
    },
  ),
  caseOf(
    'l2-component-component-resource-ref',
    `const component2 = remote('RefInputOutput', 'component2', { inputRef: ref });
     const out = (key: string) => component2.outputOf<Custom>(key);
     new Custom('custom1', { value: out('inputRef').value });
     new Custom('custom2', { value: out('outputRef').value });`,
    (seen) => {
      for (const name of ['custom1', 'custom2', 'component1-child', 'component2-child'])
        expect(seen.entry(name).outputs).toEqual({ value: 'foo-bar-baz' });
      const reference = { urn: seen.entry('component1-child').urn, id: 'id-component1-child' };
      expect(seen.entry('component2').outputs['inputRef']).toMatchObject(reference);
    },
  ),
  caseOf(
    'l2-namespaced-provider',
    `new pulumi.CustomResource('component:index:Custom', 'holder', { value: pulumi.jsonStringify([ref.id, ref.urn]) });
     new pulumi.Stash('stash', { input: { held: ref } });`,
    (seen) => {
      const child = seen.entry('component1-child');
      expect(seen.entry('stash').inputs['input']).toMatchObject({
        held: { urn: child.urn, id: child['id'] },
      });
      expect(seen.entry('holder').inputs['value']).toBe(JSON.stringify([child['id'], child.urn]));
    },
  ),
];
