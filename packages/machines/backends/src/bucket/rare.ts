/** Parts of a bucket that few commands use. They are loaded together, when one of them is used. */
export { addPastUpdate } from './history/past-update.js';
export { addToBucket } from './stacks/add-change.js';
export { readPastChange, storedStateName } from './records/past-change.js';
export { restoreCheckpoint } from './recovery/restore.js';
export { setAside } from './recovery/set-aside.js';
export { migrateBucketStack } from './stacks/migrate-stack.js';
export { servedJournals } from './served/served-journals.js';
export { moveBetween } from './stacks/move-between.js';
export { lockWithReason, unlockStack } from './stacks/reasoned-lock.js';
export { renameBucketStack } from './stacks/rename-stack.js';
export { upgradeStore } from './stacks/upgrade-store.js';
export { stateTexts } from './state-texts.js';
