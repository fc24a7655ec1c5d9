import { eachExpression, pclError } from '@cairn/pcl';
import type { Expression } from '@cairn/pcl';
import type { PackageModel } from '../schema/model.js';
import { npmNameOf } from '../typed-package/options.js';
import { expressionsIn, readProgram } from './declarations.js';
import type { PackageDeclaration, ProgramDeclarations } from './declarations.js';
import { Packages, packageOf } from './packages.js';
import { joined, translateProgram } from './translate.js';

/** Input of project generation. */
interface ProjectRequest {
  readonly program: ProgramSources;
  /** Project file as JSON. */
  readonly project: string;
  /** Models of the packages in {@link ProgramSources.packages}, by name. */
  readonly models: ReadonlyMap<string, PackageModel>;
  /** Sources of the program's dependencies for npm, by name of the npm package. */
  readonly dependencies: ReadonlyMap<string, string>;
}

/** Program in PCL, parsed. */
interface ProgramSources {
  /** Programs by folder; the entry's is ''. */
  readonly programs: ReadonlyMap<string, ProgramDeclarations>;
  /** Every package that the program names. */
  readonly packages: readonly PackageDeclaration[];
}

/** Reads the `.pp` files of a program, by path. Throws a CairnError with the position. */
export function readSources(sources: ReadonlyMap<string, string>): ProgramSources {
  const folders = new Map<string, string[]>();
  for (const [path, text] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const folder = path.split('/').slice(0, -1).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), text]);
  }
  const all = new Map([...folders].map(([folder, files]) => [folder, readProgram(files)]));
  const programs = new Map<string, ProgramDeclarations>();
  const reach = (folder: string): void => {
    const program = all.get(folder);
    if (program === undefined || programs.has(folder)) return;
    programs.set(folder, program);
    for (const declaration of program.declarations.values())
      if (declaration.t === 'component' && declaration.source !== undefined)
        reach(joined(folder, declaration.source));
  };
  reach('');
  if (programs.size === 0) throw pclError('there is no program', undefined);
  return { programs, packages: packagesIn([...programs.values()]) };
}

/** Returns files of the project by path: the program, and the files needed to run it. */
export function projectFiles(request: ProjectRequest): ReadonlyMap<string, string> {
  const project = JSON.parse(request.project) as Readonly<Record<string, unknown>>;
  const { main } = project;
  const folder = typeof main === 'string' && main !== '' ? `${main.replace(/\/$/, '')}/` : '';
  const files = translateProgram(request.program.programs, new Packages(request.models));
  return new Map([
    ['Pulumi.yaml', projectFile(project)],
    [`${folder}package.json`, packageFile(String(project['name'] ?? 'program'), request)],
    [`${folder}tsconfig.json`, TSCONFIG],
    ...[...files].map(([path, text]): [string, string] => [folder + path, text]),
  ]);
}

/** Writes the project file. Members in JSON are valid YAML. */
function projectFile(project: Readonly<Record<string, unknown>>): string {
  const { name, runtime: _, ...rest } = project;
  const members = Object.entries({ name, runtime: 'cairn', ...rest });
  const text = (value: unknown) =>
    typeof value === 'string' && /^[A-Za-z][\w./-]*$/.test(value) ? value : JSON.stringify(value);
  return members.map(([key, value]) => `${key}: ${text(value)}\n`).join('');
}

function packageFile(name: string, { program, dependencies }: ProjectRequest): string {
  const needed = ['@cairn/sdk', ...program.packages.map((each) => npmNameOf(each.name))];
  const manifest = {
    name: name.toLowerCase().replace(/[^a-z0-9-]+/g, '-'),
    private: true,
    type: 'module',
    main: 'index.ts',
    dependencies: Object.fromEntries(
      [...new Set(needed)].sort().map((each) => [each, dependencies.get(each) ?? '*']),
    ),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      strict: true,
      target: 'ES2023',
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      types: ['node'],
      skipLibCheck: true,
      noEmit: true,
    },
    include: ['**/*.ts'],
    exclude: ['node_modules', 'sdks'],
  },
  undefined,
  2,
)}\n`;

/** Returns packages that tokens name, with their blocks' descriptions. The engine's own package does not count. */
function packagesIn(programs: readonly ProgramDeclarations[]): readonly PackageDeclaration[] {
  const described = new Map(programs.flatMap(({ packages }) => packages.map((each) => [each.name, each])));
  const names = new Set(programs.flatMap((program) => tokensIn(program).map(packageNamed)));
  return [...names]
    .filter((name) => name !== '' && name !== 'pulumi')
    .sort()
    .map((name) => described.get(name) ?? { name, version: '', downloadUrl: '', base: undefined });
}

function packageNamed(token: string): string {
  return packageOf(token.replace(/^pulumi:providers:/, ''));
}

function tokensIn({ declarations, outputs }: ProgramDeclarations): readonly string[] {
  const all = [...declarations.values()];
  const tokens = all.flatMap((each) => (each.t === 'resource' || each.t === 'read' ? [each.token] : []));
  const expressions = [...all.flatMap(expressionsIn), ...outputs.map(({ value }) => value)];
  return [...tokens, ...expressions.flatMap(invokedIn)];
}

function invokedIn(expression: Expression): readonly string[] {
  const tokens: string[] = [];
  eachExpression(expression, (each) => {
    const [token] = each.t === 'call' && each.name === 'invoke' ? each.args : [];
    if (token?.t === 'literal') tokens.push(String(token.value));
  });
  return tokens;
}
