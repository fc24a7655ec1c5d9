/**
 * The language of snippets: the body of one resource, with attributes and a block of options. `parseSnippet` parses it,
 * `bindSnippet` checks it, `instancesOf`, `inputsOf` and `evaluate` compute it. For translators, `parseBody` parses
 * whole programs in the language.
 */
export { parsePclBody } from './syntax/parse-body.js';
export { parseExpression } from './syntax/parse-expression.js';
export { ITEM, eachExpression } from './syntax/ast.js';
export { parseSnippet } from './snippet/parse-snippet.js';
export type { SnippetCode } from './snippet/parse-snippet.js';
export { bindSnippet, resourceSchema } from './snippet/bind.js';
export type { ResourceSchema } from './snippet/bind.js';
export { inputsOf, instancesOf } from './snippet/instances.js';
export { namesIn, pathOf } from './snippet/names.js';
export { evaluate } from './evaluate/evaluate.js';
export type { Scope } from './evaluate/evaluate.js';
export { lift } from './evaluate/lift.js';
export { pclError } from './pcl-error.js';
export type { AttributeNode, BlockNode, Body, Expression, For, ObjectItem, Position } from './syntax/ast.js';
