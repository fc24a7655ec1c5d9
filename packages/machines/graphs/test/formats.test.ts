import fc from 'fast-check';
import { GRAPH_FORMATS, foldGraph, formatOfFile, graphText, layOut, resourceGraph } from '../src/index.js';
import type { Graph, GraphFormat, GraphResource, Drawing } from '../src/index.js';
import { CREATE, manyResources, resource, urn } from './resources.js';

const write = (resources: readonly GraphResource[], format: GraphFormat): string =>
  graphText(resourceGraph(resources), format, 'Stack dev').text;

const frame = [
  resource('c', { component: true }),
  resource('x', { parent: 'c', mark: CREATE }),
  resource('y', { needs: ['x'] }),
];

test.each([
  ['a.dot', 'dot'],
  ['A.GV', 'dot'],
  ['a.mmd', 'mermaid'],
  ['a.b.svg', 'svg'],
  ['a.html', 'html'],
  ['a.png', undefined],
  ['constructor', undefined],
  ['-', undefined],
])('the ending of %s means %s', (file, format) => {
  expect(formatOfFile(file)).toBe(format);
});

describe('DOT', () => {
  test('has a node a resource and a cluster a component, with names and types on request', () => {
    const { text } = graphText(resourceGraph(frame), 'dot', '', { shortNames: true, fragment: 'ranksep=2;' });
    expect(text).toBe(`strict digraph {
    ranksep=2;
    rankdir=LR; node [shape=box, style="rounded,filled", fontname="sans-serif"];
    Resource0 [label="c\\na:b:C", color="#8c959f", fillcolor="#f6f8fa"];
    Resource1 [label="+ x\\na:b:C", color="#1a7f37", fillcolor="#dafbe1", tooltip="create"];
    Resource2 [label="y\\na:b:C", color="#8c959f", fillcolor="#f6f8fa"];
    subgraph cluster_0 {
        label="c";
        Resource0;
        Resource1;
    }
    Resource1 -> Resource2 [color="#246C60"];
}
`);
  });

  test('is for scripts of the other tool as that writes it', () => {
    const plain = graphText(
      resourceGraph([
        resource('a'),
        resource('x', { needs: ['a'], parent: 'a' }),
        resource('c', { component: true }),
        resource('z', { parent: 'c' }),
      ]),
      'dot',
      '',
      {
        plain: true,
        parentColor: 'red',
      },
    );
    expect(plain.text).toBe(`strict digraph {
    Resource0 [label="${urn('a')}"];
    Resource1 [label="${urn('x')}"];
    Resource2 [label="${urn('c')}"];
    Resource3 [label="${urn('z')}"];
    Resource0 -> Resource1 [color="#246C60"];
    Resource0 -> Resource1 [color="red"];
    Resource2 -> Resource3 [color="red"];
}
`);
  });
});

test('Mermaid has a box a resource and a subgraph a component', () => {
  expect(write(frame, 'mermaid')).toBe(`flowchart LR
  subgraph n0 ["a:b:C<br/>c"]
    n1["a:b:C<br/>x<br/>#43; create"]
  end
  n2["a:b:C<br/>y"]
  n1 --> n2
  classDef createStep fill:#dafbe1,stroke:#1a7f37,color:#1f2328
  class n1 createStep
`);
});

test.each<[GraphFormat, number, RegExp | undefined]>([
  ['mermaid', 20, undefined],
  ['mermaid', 600, /Mermaid draws at most 500 edges/],
  ['svg', 300, undefined],
  ['svg', 301, /folded/],
  ['html', 301, undefined],
  ['dot', 301, undefined],
])('%s of %d resources says what the reader should know: %s', (format, count, note) => {
  const made = graphText(resourceGraph(manyResources(count)), format, '');
  if (note === undefined) expect(made.note).toBeUndefined();
  else expect(made.note).toMatch(note);
});

/** Tags that these pages may contain; any other tag would come from a name. */
const TAG =
  /^<(?:!doctype html|\?xml version="1.0" encoding="UTF-8"\?|\/?[a-z][a-z0-9]*(?: [a-zA-Z-]+(?::[a-z]+)?(?:="[^"<>]*")?)*\/?)>$/;
const NAMES = new Set(
  'html head meta title style body main h1 h2 p ul li section div details summary span b a dl dt dd button input svg defs marker path g rect text tspan script'.split(
    ' ',
  ),
);

/** Returns a page without its style and script. */
const bareOf = (made: string): string => made.replace(/<(style|script)>[^]*?<\/\1>/g, '');

/** Returns the tags of a page without its style and script. Throws for anything that is no whole tag. */
function tagsOf(text: string): readonly string[] {
  const tags = bareOf(text).match(/<[^>]*>?/g) ?? [];
  for (const tag of tags) {
    const name = /^<\/?([a-z0-9]+)/i.exec(tag)?.[1];
    if (!TAG.test(tag) || (name !== undefined && !NAMES.has(name))) throw new Error(`unexpected: ${tag}`);
  }
  return tags.map((tag) => tag.replace(/="[^"]*"/g, ''));
}

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '</style><svg onload=alert(1)>',
  '" onfocus="alert(1)" x="',
  "' onclick='alert(1)",
  'javascript:alert(1)',
  '&lt;b&gt;&amp;',
  '\u001b[31mred\u001b]8;;http://evil\u0007link',
  '\u202egnp.exe',
  'a\u200bb\ufeff',
  ']]>-->',
  '`"]; end; click n0 call alert(1)',
  '"]\nclick n0 "javascript:alert(1)"',
  '\\"; } digraph { evil',
  '%%{init: {"securityLevel":"loose"}}%%',
  '\ud800lone\ufffe',
  '1. list',
  '__proto__',
];
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 20 }));
const strange = fc
  .record({
    name: text.map((each) => `x${each}`),
    type: text,
    words: text.map((each) => `w${each}`),
    key: text,
  })
  .map(({ name, type, words, key }): readonly GraphResource[] => [
    { urn: urn(`p${name}`), type, custom: false, refers: {} },
    {
      urn: urn(name),
      type,
      custom: true,
      refers: { parent: urn(`p${name}`), propertyDependencies: { [key]: [urn('n')] } },
      mark: { tone: 'failed', glyph: '!', words },
    },
    { urn: urn('n'), type: 't', custom: true, refers: {} },
  ]);
const TAME: readonly GraphResource[] = [
  { urn: urn('pa'), type: 't', custom: false, refers: {} },
  {
    urn: urn('a'),
    type: 't',
    custom: true,
    refers: { parent: urn('pa'), propertyDependencies: { k: [urn('n')] } },
    mark: { tone: 'failed', glyph: '!', words: 'w' },
  },
  { urn: urn('n'), type: 't', custom: true, refers: {} },
];

/** Enough runs to put every hostile text somewhere. */
const RUNS = { numRuns: 50 };

/** Characters that steer or hide text. */
const STEERING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

describe('names, types, words and keys are text, whatever they are', () => {
  test.each<['svg' | 'html']>([['svg'], ['html']])('%s has the same tags with any of them', (format) => {
    const tame = tagsOf(write(TAME, format));
    fc.assert(
      fc.property(strange, (resources) => {
        const made = write(resources, format);
        expect(tagsOf(made)).toEqual(tame);
        expect(made).not.toMatch(STEERING);
        expect(bareOf(made)).not.toMatch(/[\ufffe\uffff]|&(?!(?:amp|lt|gt|quot|#39);)/);
      }),
      RUNS,
    );
  });

  test('Mermaid and DOT have the same lines with any of them', () => {
    const shapes = {
      mermaid: (made: string) => made.replace(/\["(?:[\p{L}\p{N} _.:/-]|#\d+;|<br\/>)*"\]/gu, '[]'),
      dot: (made: string) => made.replace(/"(?:[^"\\\n]|\\[^\n])*"/g, '""'),
    };
    const tame = { mermaid: shapes.mermaid(write(TAME, 'mermaid')), dot: shapes.dot(write(TAME, 'dot')) };
    fc.assert(
      fc.property(strange, (resources) => {
        for (const format of ['mermaid', 'dot'] as const) {
          const made = write(resources, format);
          expect(shapes[format](made)).toBe(tame[format]);
          expect(made).not.toMatch(STEERING);
        }
      }),
      RUNS,
    );
  });
});

describe('a page', () => {
  const page = write(frame, 'html');

  test('loads nothing and runs nothing but its own script', () => {
    const [policy = ''] = page.match(/default-src[^>]*/) ?? [];
    expect(policy).toMatch(
      /^default-src &#39;none&#39;; style-src &#39;sha256-[^ ]+&#39;; script-src &#39;sha256-[^ ]+&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"$/,
    );
    expect(page).not.toMatch(/(?:src|href|action)="(?!#)/);
    expect(page).not.toMatch(/ (?:style|on[a-z]+)="/);
  });

  test('lists each resource below its component, with links to what it needs, for readers without script', () => {
    const list = page.slice(page.indexOf('<ul class="tree"'), page.indexOf('<script>'));
    const words = list
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    expect(words).toBe(
      `c a:b:C URN ${urn('c')} + create x a:b:C URN ${urn('x')} y a:b:C URN ${urn('y')} Needs x a:b:C`,
    );
    expect(list).toContain('<a href="#r1">x</a>');
  });

  test('draws each folded part, and each box leads to the list or to its part', () => {
    const large = write(manyResources(900), 'html');
    const targets = new Set([...large.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...large.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !targets.has(id))).toEqual([]);
    expect(large).toMatch(/Drawings of \d+ folded parts/);
  });
});

/** Counts reads of properties of nodes, edges and boxes. */
function counted<T extends Graph | Drawing>(
  of: T,
  list: keyof T & ('nodes' | 'boxes'),
): { readonly of: T; reads(): number } {
  let count = 0;
  const watch = <U extends object>(each: U): U =>
    new Proxy(each, {
      get(target, name) {
        count += 1;
        return Reflect.get(target, name) as unknown;
      },
    });
  const watched = { ...of, [list]: (of[list] as object[]).map(watch), edges: of.edges.map(watch) };
  return { of: watched, reads: () => count };
}

describe('work grows with resources and arrows', () => {
  const graphs = [1250, 2500, 5000].map((count) => resourceGraph(manyResources(count)));
  const expectLinear = (counts: readonly number[]): void => {
    expect(counts[2]).toBeGreaterThan(5000);
    expect((counts[1] as number) / (counts[0] as number)).toBeLessThan(2.4);
    expect((counts[2] as number) / (counts[1] as number)).toBeLessThan(2.4);
  };

  test.each(GRAPH_FORMATS)('of %s', (format) => {
    const made = graphs.map((graph) => {
      const { of, reads } = counted(graph, 'nodes');
      const { length } = graphText(of, format, '').text;
      return { reads: reads(), length };
    });
    expectLinear(made.map(({ reads }) => reads));
    if (format !== 'svg') expectLinear(made.map(({ length }) => length));
  });

  test('of a layout', () => {
    expectLinear(
      graphs.map((graph) => {
        const { of, reads } = counted(foldGraph(graph, Infinity)[0] as Drawing, 'boxes');
        layOut(of);
        return reads();
      }),
    );
  });
});
