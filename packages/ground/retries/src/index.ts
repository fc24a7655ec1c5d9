export { retrying, systemRetryPorts } from './retrying.js';
export type { RetryBudget, RetryLimits, RetryPorts, RetryRules } from './retrying.js';
export { retryAfterMs } from './retry-after.js';
export { NEEDED_TO_SPAWN, haveFree, withDescriptors } from './descriptors.js';
