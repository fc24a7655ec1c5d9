/** Work on stacks and projects that few commands do, so that no other command loads it. */
export { setProjectValue } from './config/set-project-value.js';
export { migrateStack } from './stacks/migrate-stack.js';
export { takeStacks } from './stacks/take-stacks.js';
export type { TakenStack } from './stacks/take-stacks.js';
export { stacksInOrder } from './stacks/stack-order.js';
export type { OrderedStack } from './stacks/stack-order.js';
