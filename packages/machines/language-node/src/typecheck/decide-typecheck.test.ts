import { decideTypecheck } from './decide-typecheck.js';
import type { TypecheckFacts } from './decide-typecheck.js';

/** Facts of a usual program for an operation under the name of the other tool. */
const USUAL: TypecheckFacts = {
  cause: 'usual',
  options: { typescript: true, typecheck: undefined },
  sdk: '@pulumi/pulumi',
  typed: true,
  transpileOnly: undefined,
  settled: false,
  compiler: true,
};

const option = (typecheck: boolean): Partial<TypecheckFacts> => ({
  options: { typescript: true, typecheck },
});
const javascript: Partial<TypecheckFacts> = { options: { typescript: false, typecheck: true } };
const ours: Partial<TypecheckFacts> = { sdk: '@cairn/sdk' };
const demand: Partial<TypecheckFacts> = { cause: 'on-demand' };
const asked: Partial<TypecheckFacts> = { cause: 'asked' };

const CASES: readonly [string, Partial<TypecheckFacts>, ReturnType<typeof decideTypecheck>][] = [
  ['a program on @pulumi/pulumi under the alias', {}, 'check'],
  ['the same under our own name', demand, 'leave'],
  ['a program on our SDK under the alias', ours, 'leave'],
  ['JavaScript', { typed: false }, 'leave'],
  ['JavaScript on @pulumi/pulumi, asked for', { ...asked, typed: false }, 'leave'],
  ['a tsconfig for sources of a program on our SDK', { ...asked, ...ours, typed: false }, 'check'],
  ['no compiler', { compiler: false }, 'leave'],
  ['no compiler, asked for', { ...asked, compiler: false }, 'no-compiler'],
  ['no compiler, the project asks for it', { ...option(true), compiler: false }, 'no-compiler'],
  ['typecheck: false under the alias', option(false), 'leave'],
  ['typecheck: false, asked for', { ...asked, ...option(false) }, 'check'],
  ['typecheck: true under our own name', { ...demand, ...option(true) }, 'check'],
  ['typecheck: true on our SDK', { ...demand, ...ours, ...option(true) }, 'check'],
  ['typescript: false', { ...asked, ...javascript }, 'leave'],
  ['PULUMI_NODEJS_TRANSPILE_ONLY=true', { transpileOnly: 'true' }, 'leave'],
  [
    'PULUMI_NODEJS_TRANSPILE_ONLY=false against the tsconfig',
    { transpileOnly: 'false', settled: true },
    'check',
  ],
  ['PULUMI_NODEJS_TRANSPILE_ONLY= leaves it to the tsconfig', { transpileOnly: '', settled: true }, 'leave'],
  ['the tsconfig says no', { settled: true }, 'leave'],
  ['typecheck: true against the tsconfig', { ...option(true), settled: true }, 'check'],
  ['typecheck: true against the variable', { ...option(true), transpileOnly: 'true' }, 'check'],
  ['asked for against the variable', { ...asked, transpileOnly: 'true' }, 'check'],
];

test.each(CASES)('%s', (_, facts, decision) => {
  expect(decideTypecheck({ ...USUAL, ...facts })).toBe(decision);
});
