/**
 * The language that snippets are written in: the body of one resource, attributes and a block of options. Parsed by
 * `parseSnippet`, checked by `bindSnippet`, computed by `instancesOf`, `inputsOf` and `evaluate`. Whole programs in it
 * are parsed by `parseBody`, for who translates them.
 */
export { parseBody } from './syntax/parse-body.js';
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
export type { Attribute, Block, Body, Expression, For, ObjectItem, Position } from './syntax/ast.js';
