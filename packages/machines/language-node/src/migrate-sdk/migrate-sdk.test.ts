import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { edited, unifiedDiff } from './edits.js';
import { migrateManifest } from './manifest.js';
import { migrateSource } from './migrate-source.js';
import { NOT_HERE, RENAMED, WRITTEN_OUT } from './names.js';
import { programFiles } from './program-files.js';

/** Programs on the other SDK by file name. */
const samples = readFileSync(path.join(__dirname, 'testdata', 'samples.txt'), 'utf8')
  .split(/^=== /m)
  .slice(1)
  .map((section) => {
    const end = section.indexOf('\n');
    return { name: section.slice(0, end), text: section.slice(end + 1) };
  });
const migrated = samples.map(({ name, text }) => ({ name, text, ...resultOf(name, text) }));
const LEFT_TO_A_PERSON = ['dynamic.ts', 'tests.ts'];

function resultOf(name: string, text: string) {
  const { text: after, findings } = migrateSource(ts, name, text);
  return { after, findings };
}

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  customConditions: ['cairn-src'],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  esModuleInterop: true,
  allowJs: true,
  types: ['node'],
};
/** Host that parses a file once for all programs. */
const host = ts.createCompilerHost(compilerOptions);
const { getSourceFile } = host;
const parsed = new Map<string, ts.SourceFile | undefined>();
host.getSourceFile = (file, settings) => {
  if (!parsed.has(file)) parsed.set(file, getSourceFile(file, settings));
  return parsed.get(file);
};

describe.each(migrated)('$name', ({ name, text, after, findings }) => {
  test('leads to our SDK, keeps its other lines, and a second run changes nothing', () => {
    if (name === 'dynamic.ts') {
      expect(after).toBe(text);
      return;
    }
    expect(after).not.toMatch(/['"]@pulumi\/pulumi['"]/);
    expect(after).toContain('@cairn/sdk');
    const lines = after.split('\n');
    for (const line of text
      .split('\n')
      .filter((one) => !/pulumi|Output|asset|ID|URN|Inputs|createUrn|\bp\./.test(one)))
      expect(lines).toContain(line);
    expect(migrateSource(ts, name, after).text).toBe(after);
  });

  test(LEFT_TO_A_PERSON.includes(name) ? 'lists what is left' : 'leaves nothing to a person', () => {
    if (LEFT_TO_A_PERSON.includes(name)) expect(findings).not.toEqual([]);
    else expect(findings).toEqual([]);
  });
});

test('what they become is right for the compiler', () => {
  const directory = __dirname;
  const sources = new Map(
    migrated
      .filter(({ name }) => !LEFT_TO_A_PERSON.includes(name))
      .map(({ name, after }) => [path.join(directory, `sample-${name}`), after]),
  );
  const samplesHost: ts.CompilerHost = {
    ...host,
    fileExists: (file) => sources.has(file) || host.fileExists(file),
    getSourceFile: (file, settings) => {
      const source = sources.get(file);
      return source === undefined
        ? host.getSourceFile(file, settings)
        : ts.createSourceFile(file, source, settings, true);
    },
  };
  const program = ts.createProgram([...sources.keys()], compilerOptions, samplesHost);
  const problems = [...sources.keys()].flatMap((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(
        ({ messageText }) => `${path.basename(file)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      ),
  );
  expect(problems).toEqual([]);
}, 60_000);

test('what is left to a person is named with line and reason', () => {
  const findings = migrated
    .filter(({ name }) => LEFT_TO_A_PERSON.includes(name))
    .map((one) => [one.name, one.findings]);
  expect(findings).toEqual([
    [
      'dynamic.ts',
      [
        {
          line: 2,
          why: '@pulumi/aws is made for @pulumi/pulumi: run `cairn package add aws` to generate one for @cairn/sdk',
        },
        { line: 4, why: `dynamic: ${NOT_HERE['dynamic']}` },
        { line: 5, why: `dynamic: ${NOT_HERE['dynamic']}` },
        {
          line: 7,
          why: 'transformations: transforms see resources on their way to the engine: the option is transforms',
        },
      ],
    ],
    [
      'tests.ts',
      [
        { line: 2, why: NOT_HERE['automation'] },
        { line: 4, why: `runtime.setMocks: ${NOT_HERE['runtime.setMocks']}` },
      ],
    ],
  ]);
});

test('every name that the other SDK exports is exported here, renamed, written out or reported', () => {
  const theirs = require.resolve('@pulumi/pulumi').replace(/\.js$/, '.d.ts');
  const ours = path.resolve(__dirname, '../../../../authors/sdk/src/index.ts');
  const program = ts.createProgram([theirs, ours], compilerOptions, host);
  const checker = program.getTypeChecker();
  const names = (file: string): string[] => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.SourceFile) as ts.Symbol;
    return checker.getExportsOfModule(module).map(({ name }) => name);
  };
  const known = new Set([
    ...names(ours),
    ...Object.keys(NOT_HERE),
    ...Object.keys(WRITTEN_OUT),
    ...Object.keys(RENAMED),
  ]);
  expect(names(theirs).filter((name) => !known.has(name))).toEqual([]);
  expect(Object.values(RENAMED).filter((name) => !names(ours).includes(name))).toEqual([]);
}, 60_000);

describe('files', () => {
  test('package.json names our SDK in the place of the other, in its own form', () => {
    const text = '{\n\t"dependencies": {\n\t\t"@pulumi/pulumi" : "^3.0.0",\n\t\t"left": "1"\n\t}\n}\n';
    const after = migrateManifest(text, '1.2.3');
    expect(after).toBe(text.replace('"@pulumi/pulumi" : "^3.0.0"', '"@cairn/sdk" : "^1.2.3"'));
    expect(migrateManifest(after, '2.0.0')).toBe(after);
  });

  test('are sources and manifests of the program, not what is installed or built', async () => {
    const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'cairn-migrate-')));
    try {
      const files = [
        'index.ts',
        'lib/a.mjs',
        'lib/a.d.ts',
        'node_modules/x/index.js',
        'dist/index.js',
        '.git/b.js',
        'package.json',
        'notes.md',
      ];
      for (const file of files) {
        mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
        writeFileSync(path.join(directory, file), '');
      }
      const found = (await programFiles(directory)).map((file) => path.relative(directory, file));
      expect(found).toEqual(['index.ts', path.join('lib', 'a.mjs'), 'package.json']);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  test('a preview shows changed lines among their neighbours', () => {
    const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].join('\n');
    const after = edited(before, [{ start: 8, end: 9, text: 'E' }]);
    expect(unifiedDiff('x.ts', before, after)).toBe(
      '--- x.ts\n+++ x.ts\n@@ line 2 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n',
    );
    expect(unifiedDiff('y.ts', 'a\nb', 'A\nb')).toBe('--- y.ts\n+++ y.ts\n@@ line 1 @@\n-a\n+A\n b\n');
  });
});
