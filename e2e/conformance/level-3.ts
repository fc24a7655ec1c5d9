import { nameOf, only, programOf } from './level-2.js';
import type { ConformanceCase } from './run-case.js';

/** Programs with components of their own, on the providers of ./provider.mjs. */
export const LEVEL_3: readonly ConformanceCase[] = [
  programOf(
    'l3-component-simple',
    ['simple'],
    `class MyComponent extends pulumi.ComponentResource {
       readonly output: any;
       constructor(name: string, args: any) {
         super('components:index:MyComponent', name, args);
         this.output = simple(name + '-res', { parent: this }, args.input).out('value');
         this.registerOutputs({ output: this.output });
       }
     }
     const input = simple('input', {}, true);
     export const result = new MyComponent('someComponent', { input: input.out('value') }).output;`,
    only((seen) => {
      expect(seen.entries).toHaveLength(5);
      expect(seen.entry('someComponent')).toMatchObject({
        inputs: { input: true },
        outputs: { output: true },
      });
      const res = seen.entry('someComponent-res');
      expect(nameOf(res['parent'])).toBe('someComponent');
      expect(res).toMatchObject({ inputs: { value: true }, outputs: { value: true } });
      expect((res['dependencies'] as readonly string[]).map(nameOf)).toEqual(['input']);
      expect(res['propertyDependencies']).toEqual({ value: [seen.entry('input').urn] });
      expect(seen.entry('input')['dependencies'] ?? []).toEqual([]);
      expect(seen.outputs).toEqual({ result: true });
    }),
  ),
  programOf(
    'l3-component-nested',
    ['simple'],
    `class Inner extends pulumi.ComponentResource {
       readonly output: any;
       constructor(name: string, args: any, options: any) {
         super('components:index:InnerComponent', name, args, options);
         this.output = simple(name + '-res', { parent: this }, pulumi.output(args.input).apply((it: boolean) => !it)).out('value');
         this.registerOutputs({ output: this.output });
       }
     }
     class Outer extends pulumi.ComponentResource {
       readonly output: any;
       constructor(name: string, args: any) {
         super('components:index:OuterComponent', name, args);
         const input = pulumi.output(args.input).apply((it: boolean) => !it);
         this.output = new Inner(name + '-innerComponent', { input }, { parent: this }).output;
         this.registerOutputs({ output: this.output });
       }
     }
     export const result = new Outer('outerComponent', { input: true }).output;`,
    only((seen) => {
      expect(seen.entries).toHaveLength(5);
      const inner = 'outerComponent-innerComponent';
      expect(seen.entry('outerComponent')).toMatchObject({
        inputs: { input: true },
        outputs: { output: true },
      });
      expect(seen.entry(inner)).toMatchObject({ inputs: { input: false }, outputs: { output: true } });
      expect(nameOf(seen.entry(inner)['parent'])).toBe('outerComponent');
      expect(nameOf(seen.entry(`${inner}-res`)['parent'])).toBe(inner);
      expect(seen.entry(`${inner}-res`).inputs).toEqual({ value: true });
      expect(seen.outputs).toEqual({ result: true });
    }),
  ),
  programOf(
    'l3-component-provider',
    ['config'],
    `class Conf extends pulumi.ProviderResource { constructor(parent: any) { super('config', 'inner-prov', { name: 'inside' }, { parent }); } }
     const group = new Group('group');
     export const text = new Res('config:index:Resource', 'child', {}, { parent: group, provider: new Conf(group) }).out('text');`,
    only((seen) => {
      expect(['inner-prov', 'child'].map((name) => nameOf(seen.entry(name)['parent']))).toEqual([
        'group',
        'group',
      ]);
      expect(seen.outputs).toEqual({ text: 'inside' });
    }),
  ),
];
